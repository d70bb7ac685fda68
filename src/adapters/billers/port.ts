import { z } from '../../kernel/zod.ts';
import { isExact, readAmount, zero } from '../../kernel/money.ts';
import type { Peer } from '../http/peer.ts';

/** A transaction as somebody claims that there is one, and when. */
export interface Claimed {
  readonly txnId: string;
  readonly paidAt: Date;
  /** Other moments that were claimed of it. */
  readonly otherMoments?: readonly Date[];
}

/** Asks a payment point, on a connection of the rail's own, what it has. */
export interface Enquirer {
  /** The transaction, in its own words; null where it has no such. */
  find(claimed: Claimed): Promise<Transaction | null>;
  /** True if it still knows at one time a payment made at another. */
  has(paidAt: Date, now: Date): boolean;
  close(): Promise<void>;
}

const text = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .refine((value) => value.isWellFormed() && !value.includes('\0'));

const transaction = z.object({
  txnId: text,
  reference: text,
  amount: z
    .union([z.number(), z.string()])
    .transform((value) => readAmount(String(value))?.amount ?? zero)
    .refine((value) => value.greaterThan(0)),
  currency: z.string(),
  paidAt: z.date(),
});

/** A payment point's record of money that it took. */
export type Transaction = z.output<typeof transaction>;

/** Reads what a payment point answers of a transaction, which has to be the one that was asked about. */
export function readTransaction(
  peer: Peer,
  { txnId }: Claimed,
  answered: Readonly<Record<keyof Transaction, unknown>>,
): Transaction {
  const { data, error } = transaction.safeParse(answered);
  if (error) throw peer.failure('failed', `did not say what it took: ${error.issues[0]!.path.join('.')}`);
  if (!isExact(data.amount, data.currency)) throw peer.failure('failed', 'did not say what it took: amount');
  if (data.txnId !== txnId) throw peer.failure('failed', 'answered for another transaction');
  return data;
}
