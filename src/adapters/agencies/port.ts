import type { PeerOptions } from '../http/peer.ts';

/**
 * Connection to an agency, or to the agencies of one kind, with the rail's credentials: it needs all that an endpoint
 * of theirs asks for.
 */
export interface AgencyOptions extends PeerOptions {
  /** Country of the agencies. */
  readonly country: string;
  readonly oauth2?:
    | {
        readonly tokenPath: string;
        readonly clientId: string;
        readonly clientSecret: string;
        readonly scope?: string | undefined;
      }
    | undefined;
  readonly mtls?: { readonly url: string; readonly cert: string; readonly key: string } | undefined;
  readonly apiKey?: string | undefined;
  /** Path at which they receive notices of payments, for kinds whose endpoints in the registry take none. */
  readonly noticePath?: string | undefined;
}

/** Form of the rail's credentials for an agency. */
export type AuthMode = 'OAuth2' | 'mTLS' | 'API Key';

/** An endpoint as the registry lists it. */
export interface RegisteredEndpoint {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly agencyKind: string;
  readonly authMode: AuthMode;
}

export interface AgencyAsked {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Under which a repetition is known as one: it makes any call safe to repeat. */
  readonly key?: string;
}

export interface AgencyAnswer {
  readonly status: number;
  readonly body: unknown;
  /** Set where a try before it may have done what was asked. */
  readonly repeated?: true;
}

/** Agencies outside. Each call throws an `AdapterFailure` where an agency cannot answer, or is not connected. */
export interface Agencies {
  /**
   * State of the connection to agencies of a kind, anywhere or in a country with these of them: they may be called, or
   * be `unavailable`, which is left alone for a while; a `stub` makes its answers up.
   */
  statusOf(
    kind: string,
    place?: { readonly country: string; readonly agencies: readonly string[] },
  ): 'connected' | 'unavailable' | 'stub' | 'unconnected';
  /** True if a connection, by its name in `CONNECTIONS`, is called at all at present. */
  available(name: string): boolean;
  /** Calls an endpoint of the registry, in the way in which it wants to be shown who calls. */
  ask(endpoint: string, asked: AgencyAsked): Promise<AgencyAnswer>;
  /**
   * Notifies an agency of a payment, or of its reversal, over its own connection or over that of its kind; a repetition
   * under the same key, by default the assessment and the agency, tells it nothing new.
   */
  notify(kind: string, country: string, notice: PaymentNotice | ReversalNotice, key?: string): Promise<NoticeReceipt>;
  close(): Promise<void>;
}

/** The notice to an agency: its part of a paid assessment. */
export interface PaymentNotice {
  readonly assessment: string;
  readonly mda: string;
  readonly currency: string;
  readonly amount: number;
  readonly paid_at: Date | null;
  readonly lines: readonly {
    readonly service: string;
    readonly service_name: string;
    readonly quantity: number;
    readonly amount: number;
  }[];
}

/**
 * The notice to an agency once a payment that it knows is reversed: the same, its amounts negative, and what came
 * after.
 */
export interface ReversalNotice extends PaymentNotice {
  readonly type: 'reversed';
  readonly reversed_at: Date | null;
  readonly reason: string | null;
  /** The agency's number for the payment; null where it gave none. */
  readonly receipt_number: string | null;
  /** The refund, of which the amounts are then; null where the assessment was cancelled. */
  readonly refund: string | null;
}

export interface NoticeReceipt {
  /** The agency's number for it; null where it gives none. */
  readonly receipt: string | null;
  /** The agency's answer without credentials. */
  readonly response: Readonly<Record<string, unknown>>;
}
