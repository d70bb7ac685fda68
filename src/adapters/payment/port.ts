import type { Decimal } from '../../kernel/money.ts';

/** A collection, as an aggregator is asked about it. */
export interface Collection {
  /** The intent's docname: the idempotency reference at the aggregator, so that asking twice collects once. */
  readonly intent: string;
  /** The aggregator's reference, as `reference` gave it or the aggregator answered it; null before the first call. */
  readonly reference: string | null;
  readonly amount: Decimal;
  readonly currency: string;
  readonly payerMsisdn: string | null;
  readonly createdAt: Date;
  /** True if the aggregator is known to have accepted it; if not, its answer may have been lost. */
  readonly accepted: boolean;
  /** Time at which it was last asked to collect, or answered. */
  readonly askedAt: Date;
}

/** Order to an aggregator to collect, with the splits. */
export interface CollectionOrder extends Collection {
  /** Sender of the order: an account, or else a payment link; null for staff. */
  readonly sender: string | null;
  /** True if it may have been asked for before, by a try whose answer is not known. */
  readonly repeated: boolean;
  /** Address that a page of the provider sends the payer's browser back to; null: this rail's. */
  readonly returnUrl: string | null;
  /** Address to which the provider may mail a receipt; null if the payer gave none. */
  readonly payerEmail: string | null;
  readonly splits: readonly Share[];
}

/** Part of a collection that goes straight to one agency. */
export interface Share {
  readonly mda: string;
  readonly amount: Decimal;
  /** The account that the agency collects on. */
  readonly account: string;
}

/**
 * The payer's next step: go to a page of the provider, answer a request on their phone, pay by a number that they are
 * shown, or nothing.
 */
export interface NextAction {
  readonly type: 'redirect' | 'push' | 'reference' | 'none';
  /** The page, for `redirect` alone. */
  readonly url: string | null;
  /** Until when it can be done, where the provider says so. */
  readonly expiresAt: Date | null;
}

/** A next action that is its type alone. */
export function onlyNext(type: NextAction['type']): NextAction {
  return { type, url: null, expiresAt: null };
}

export interface Accepted {
  readonly reference: string;
  /** Null where the provider does not say. */
  readonly nextAction: NextAction | null;
  /** The request, without credentials, for the trace; null if there is nothing to show. */
  readonly request: Readonly<Record<string, unknown>> | null;
  /** The aggregator's answer without credentials, for the trace and the caller. */
  readonly response: Readonly<Record<string, unknown>>;
}

/** An aggregator's answer about a collection. */
export interface ProviderStatus {
  readonly status: 'SUCCESSFUL' | 'FAILED' | 'PENDING' | 'NOT_FOUND';
  readonly txnId: string | null;
  readonly amount: Decimal | null;
  readonly currency: string | null;
  readonly settledAt: Date | null;
  /** Reason of the failure, in the aggregator's words. */
  readonly reason: string | null;
  /** The aggregator's answer without credentials. */
  readonly response: Readonly<Record<string, unknown>>;
}

/** A collection that nobody is to pay any more. */
export interface Withdrawal extends Collection {
  /** The page to pay at, where it has one. */
  readonly page: string | null;
}

/** A refund, as an aggregator is asked for it. */
export interface RefundOrder {
  /** The refund's docname. */
  readonly refund: string;
  /** The reference under which the aggregator is asked for it, as `reference` gave it. */
  readonly reference: string;
  readonly amount: Decimal;
  readonly currency: string;
  /** The collection that it gives back a part of. */
  readonly collection: Collection;
  /** The aggregator's number for the transaction of the collection. */
  readonly txnId: string | null;
  /** Time at which the aggregator was first asked for it. */
  readonly askedAt: Date;
}

/** An aggregator's answer about a refund; `txnId` is its number for the refund. */
export type RefundStatus = Pick<ProviderStatus, 'status' | 'txnId' | 'reason' | 'response'>;

/** A header of callbacks. */
export interface CallbackHeader {
  readonly name: string;
  /** Content of the callback, for the description of the API. */
  readonly description: string;
}

/** A callback as it came. */
export interface RawCallback {
  readonly body: Buffer;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | null | undefined>>;
  readonly query: Readonly<Record<string, string | null | undefined>>;
}

/** A callback as its protocol reads it. What it says is claimed, not proven. */
export interface CallbackPayload {
  /** The same for a repetition of the callback. */
  readonly eventId: string;
  /** Subject of the callback: the intent's docname, or the aggregator's reference. */
  readonly intent: string | null;
  readonly reference: string | null;
  readonly proof: 'signed' | 'unsigned' | 'forged';
  readonly claimed: ProviderStatus;
  /** The dispute that it reports, instead of how the collection stands. */
  readonly dispute?: Dispute | null;
}

/** A dispute of a payment, as its provider reports it. */
export interface Dispute {
  /** The provider's number for it. */
  readonly reference: string;
  readonly amount: Decimal;
  /** null: that of the payment. */
  readonly currency: string | null;
  /** Day by which to answer; null where the provider does not say. */
  readonly answerBy: Date | null;
}

/** A callback in a provider's own form about something other than a collection, such as a payout or a refund. */
export interface IgnoredCallback {
  readonly ignored: true;
  readonly proof: CallbackPayload['proof'];
}

/** A provider's protocol over one connection. All calls throw an `AdapterFailure` if the provider cannot answer. */
export interface PaymentAdapter {
  /** True if answers are made up, for trying the rail without an account at a provider. */
  readonly stub: boolean;
  /** True if it is called at all at present. */
  readonly available: boolean;
  /** True if it can be asked with no person at hand. */
  readonly enquirable: boolean;
  /** True if it collects from a phone, and needs the payer's number; a made-up one calls nobody, and does without. */
  readonly needsPayer: boolean;
  /** The reference of a collection as far as it can be known before the provider is called. */
  reference(intent: string): string;
  initiate(order: CollectionOrder): Promise<Accepted>;
  verify(collection: Collection): Promise<ProviderStatus>;
  /**
   * Asks to let nobody pay a collection any more, and answers with the provider's answer without credentials. It may be
   * paid already: `verify` says how it stands. Absent where the provider has no such call. MTN's Collections cancels
   * invoices and pre-approvals alone (`DELETE /collection/v2_0/invoice/{referenceId}`), and no `requesttopay`; Airtel's
   * Collection API cancels nothing.
   */
  withdraw?(withdrawal: Withdrawal): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Asks for a refund; absent where none can be asked for. Nothing was given back if it throws `refused` or
   * `unavailable`.
   */
  refund?(order: RefundOrder): Promise<RefundStatus>;
  /** Asks how a refund stands that was asked for, and whose answer may have been lost. */
  verifyRefund?(order: RefundOrder): Promise<RefundStatus>;
  /** Reads a callback in this provider's own form; null where it has another. */
  parseCallback?(callback: RawCallback): CallbackPayload | IgnoredCallback | null;
  close?(): Promise<void>;
}
