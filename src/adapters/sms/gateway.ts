import type { Decimal } from '../../kernel/money.ts';

/** A text message to one phone. */
export interface Text {
  /** Name of the gateway on the rail. */
  readonly name: string;
  /** In E.164 form. */
  readonly to: string;
  readonly text: string;
}

/** A gateway's answer about a text: it took it, or it will never send it. */
export type Taken =
  | { readonly outcome: 'taken'; readonly id: string | null; readonly cost: TextCost | null }
  | { readonly outcome: 'refused'; readonly reason: string }
  /** The owner of the phone told the gateway to send no more. */
  | { readonly outcome: 'stopped'; readonly reason: string };

export interface TextCost {
  readonly amount: Decimal;
  readonly currency: string;
}

/** Later news of a text that a gateway took; null: none yet. */
export interface DeliveryReport {
  readonly id: string;
  readonly outcome: 'delivered' | 'failed' | null;
  readonly reason: string | null;
}

/** A text that somebody sent to the rail. */
export interface IncomingText {
  readonly from: string;
  readonly text: string;
}

/** A gateway for texts to phones, over one connection. */
export interface SmsGateway {
  readonly name: string;
  /** Prefixes of the numbers that it takes texts to. */
  readonly prefixes: readonly string[];
  /** True if people can answer its texts. */
  readonly takesReplies: boolean;
  /**
   * Hands a text over. Throws an `AdapterFailure` that never quotes it or its number: `refused` or `unavailable` where
   * it was surely not taken, and can be tried again; `failed` or `timeout` where it may have been taken.
   */
  send(text: Text): Promise<Taken>;
  /** Reads what the gateway posts to the rail; null where it is nothing of that kind. */
  readReport(fields: URLSearchParams): DeliveryReport | null;
  readText(fields: URLSearchParams): IncomingText | null;
  close?(): Promise<void>;
}
