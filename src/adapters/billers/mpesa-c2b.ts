import { z } from '../../kernel/zod.ts';
import { readAmount, zero } from '../../kernel/money.ts';
import { readMember, readTextMember } from '../http/members.ts';
import { Peer, type PeerOptions } from '../http/peer.ts';
import { Tokens } from '../http/tokens.ts';
import { type Claimed, type Enquirer, type Transaction, readTransaction } from './port.ts';

export interface MpesaC2bOptions {
  readonly form: 'mpesa_c2b';
  readonly peer: PeerOptions;
  readonly shortCode: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
}

/** M-Pesa writes moments by the clock of Nairobi, which has no summer time. */
const NAIROBI_MS = 3 * 3_600_000;

/** Members of a validation of C2B that are read; names and numbers of people are not. */
export const c2bValidation = z
  .object({ TransAmount: z.coerce.string(), BusinessShortCode: z.coerce.string(), BillRefNumber: z.coerce.string() })
  .transform(({ TransAmount, BusinessShortCode: shortCode, BillRefNumber: reference }, context) => {
    const written = readAmount(TransAmount);
    if (!written) context.addIssue({ code: 'custom', path: ['TransAmount'], message: 'must be an amount' });
    return { amount: written?.amount ?? zero, shortCode, reference };
  });

/** Members of a confirmation of C2B that are read: M-Pesa is asked for all others, and sends it once. */
export const c2bConfirmation = z
  .object({
    TransID: z.string().regex(/^[A-Za-z0-9]{1,40}$/, 'must be letters and digits'),
    TransTime: z.coerce.string().regex(/^\d{14}$/, 'must be yyyyMMddHHmmss'),
  })
  .transform(({ TransID: txnId, TransTime: time }) => ({
    txnId,
    paidAt: readNairobi(time.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6')),
  }))
  .refine(({ paidAt }) => !Number.isNaN(paidAt.getTime()), { path: ['TransTime'], message: 'must be a moment' });

/** Time before and after the moment of a claim in which its transaction is looked for. */
const MARGIN_MS = 120_000;
/** For how long what was taken is listed. */
const KEPT_MS = 48 * 3_600_000;
/** A short code takes far less in that time. */
const MOST_ROWS = 5_000;

/** M-Pesa's C2B: its Pull Transactions API lists what a short code took in the last 48 hours. */
export function openMpesaC2b(name: string, options: MpesaC2bOptions): Enquirer {
  const { shortCode, consumerKey, consumerSecret } = options;
  const peer = new Peer(name, options.peer);
  const basic = Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64');
  const tokens = new Tokens(peer, {
    method: 'GET',
    path: '/oauth/v1/generate',
    query: { grant_type: 'client_credentials' },
    headers: { authorization: `Basic ${basic}` },
  });

  const readPage = async ({ paidAt }: Claimed, offset: number): Promise<unknown[]> => {
    const json = {
      ShortCode: shortCode,
      StartDate: writeNairobi(new Date(paidAt.getTime() - MARGIN_MS)),
      EndDate: writeNairobi(new Date(paidAt.getTime() + MARGIN_MS)),
      OffSetValue: String(offset),
    };
    const path = '/pulltransactions/v1/query';
    const { status, body } = await tokens.authorised((headers) =>
      peer.ask({ method: 'POST', path, json, headers, safe: true }),
    );
    const code = readTextMember(body, 'ResponseCode');
    if (code === '1001') return [];
    const rows = readMember(body, 'Response');
    if (status !== 200 || code !== '1000' || !Array.isArray(rows))
      throw peer.failure('failed', `did not say what it took: ${status} ${code ?? 'no code'}`);
    return rows.flat();
  };

  const findAt = async (claimed: Claimed): Promise<Transaction | null> => {
    for (let offset = 0; offset < MOST_ROWS;) {
      const page = await readPage(claimed, offset);
      const row = page.find((one) => readTextMember(one, 'transactionId') === claimed.txnId);
      if (row !== undefined) return isPaidIn(row) ? transactionOf(row, claimed) : null;
      if (page.length === 0) return null;
      offset += page.length;
    }
    throw peer.failure('failed', `has more than ${MOST_ROWS} transactions in four minutes`);
  };

  return {
    async find({ txnId, paidAt, otherMoments = [] }) {
      let failure: unknown;
      for (const moment of [paidAt, ...otherMoments])
        try {
          const found = await findAt({ txnId, paidAt: moment });
          if (found) return found;
        } catch (error) {
          // The transaction may be at another moment.
          failure = error;
        }
      if (failure !== undefined) throw failure;
      return null;
    },
    has: (paidAt, now) => now.getTime() - paidAt.getTime() < KEPT_MS,
    close: () => peer.close(),
  };

  function transactionOf(row: unknown, claimed: Claimed) {
    return readTransaction(peer, claimed, {
      txnId: claimed.txnId,
      reference: readTextMember(row, 'billreference'),
      amount: readTextMember(row, 'amount'),
      currency: 'KES',
      paidAt: readWithin(readTextMember(row, 'trxDate') ?? '', claimed),
    });
  }
}

/** True if a row is money that came in: reversals have rows and numbers of their own. */
function isPaidIn(row: unknown): boolean {
  return /^c2b-/i.test(readTextMember(row, 'transactiontype') ?? '');
}

/**
 * The moment of a row, which is one of those that were asked for: M-Pesa's examples have moments of Nairobi's clock both
 * without a zone and with that of UTC.
 */
function readWithin(written: string, { paidAt }: Claimed): Date | null {
  const isAsked = (at: Date) => Math.abs(at.getTime() - paidAt.getTime()) <= MARGIN_MS;
  return [new Date(written), readNairobi(written.replace(/(Z|[+-]\d\d:?\d\d)$/, ''))].find(isAsked) ?? null;
}

function readNairobi(local: string): Date {
  return new Date(Date.parse(`${local.replace(' ', 'T')}Z`) - NAIROBI_MS);
}

function writeNairobi(at: Date): string {
  return new Date(at.getTime() + NAIROBI_MS).toISOString().slice(0, 19).replace('T', ' ');
}
