import type { Decimal } from '../../kernel/money.ts';

/** A text message to one phone. */
export interface Text {
  /** What the rail calls it. */
  readonly name: string;
  /** In E.164 form. */
  readonly to: string;
  readonly text: string;
}

/** What a gateway says of a text: it took it, or it will never send it. */
export type Taken =
  | { readonly outcome: 'taken'; readonly id: string | null; readonly cost: TextCost | null }
  | { readonly outcome: 'refused'; readonly reason: string }
  /** The owner of the phone told the gateway to send no more. */
  | { readonly outcome: 'stopped'; readonly reason: string };

export interface TextCost {
  readonly amount: Decimal;
  readonly currency: string;
}

/** What became of a text that a gateway took; null: nothing yet. */
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

/** Who takes texts to phones, over one connection. */
export interface SmsGateway {
  readonly name: string;
  /** What the numbers begin with that it takes texts to. */
  readonly prefixes: readonly string[];
  /** Whether people can answer its texts. */
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
