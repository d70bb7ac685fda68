import type { Channel } from '../../generated/prisma/enums.ts';
import type { Decimal } from '../../money.ts';

/** What an aggregator is asked to collect, and how it is to be split. */
export interface Collection {
  /** The intent's docname: the idempotency reference at the aggregator, so that asking twice collects once. */
  readonly intent: string;
  /** The aggregator's reference, as `reference` gave it or the aggregator answered it; null before the first call. */
  readonly reference: string | null;
  readonly amount: Decimal;
  readonly currency: string;
  readonly payerMsisdn: string | null;
  readonly createdAt: Date;
  readonly splits: readonly { readonly mda: string; readonly amount: Decimal }[];
}

export interface Accepted {
  readonly reference: string;
  /** The aggregator's answer without credentials, for the trace and the caller. */
  readonly response: Readonly<Record<string, unknown>>;
}

/** What an aggregator says of a collection. */
export interface Standing {
  readonly status: 'SUCCESSFUL' | 'FAILED' | 'PENDING' | 'NOT_FOUND';
  readonly txnId: string | null;
  readonly amount: Decimal | null;
  readonly currency: string | null;
  readonly settledAt: Date | null;
  /** Why it failed, in the aggregator's words. */
  readonly reason: string | null;
  /** The aggregator's answer without credentials. */
  readonly response: Readonly<Record<string, unknown>>;
}

/** One way of paying. Both calls throw an `AdapterFailure` where the aggregator cannot answer. */
export interface PaymentChannel {
  readonly aggregator: string;
  readonly stub: boolean;
  /** The reference of a collection as far as it can be known before the aggregator is called. */
  reference(intent: string): string;
  initiate(collection: Collection): Promise<Accepted>;
  verify(collection: Collection): Promise<Standing>;
}

/** The channels that this rail can collect through; one that is missing is not open for payments. */
export type PaymentChannels = Readonly<Partial<Record<Channel, PaymentChannel>>>;
