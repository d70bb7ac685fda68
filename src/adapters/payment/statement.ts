import { z } from '../../kernel/zod.ts';
import { word } from '../http/options.ts';

/** How a provider writes its settlement statements. */
export interface StatementFormat {
  readonly delimiter: string;
  /** The header of the column that has each value; the reference is the intent's docname, or the provider's own. */
  readonly columns: {
    readonly reference: string;
    readonly amount: string;
    readonly currency: string | null;
    readonly status: string | null;
    readonly txnId: string | null;
    readonly settledAt: string | null;
    /** Of a payment point: what was paid for, by its payment reference. A statement may lack the column. */
    readonly paidFor?: string | null;
  };
  /** The zone of moments that name none; left out: UTC. */
  readonly zone?: string;
  /** The statuses, in lower case, of rows that were paid; rows of others are left out. */
  readonly paid: readonly string[];
}

/** A statement's format in `CONNECTIONS`. */
export const statementFormat = z
  .strictObject({
    delimiter: z.string().length(1).default(','),
    columns: z.strictObject({
      reference: word,
      amount: word,
      currency: word.optional(),
      status: word.optional(),
      txn_id: word.optional(),
      settled_at: word.optional(),
      paid_for: word.optional(),
    }),
    paid: z.array(word).default([]),
  })
  .transform(({ delimiter, columns, paid }): StatementFormat => ({
    delimiter,
    columns: {
      reference: columns.reference,
      amount: columns.amount,
      currency: columns.currency ?? null,
      status: columns.status ?? null,
      txnId: columns.txn_id ?? null,
      settledAt: columns.settled_at ?? null,
      paidFor: columns.paid_for ?? null,
    },
    paid: paid.map((status) => status.toLowerCase()),
  }));
