import type { PeerOptions } from '../http/peer.ts';

/** How agencies of one kind are reached, and how the rail shows who it is: what an endpoint of theirs asks for has to be here. */
export interface AgencyOptions extends PeerOptions {
  /** Whose agencies they are. */
  readonly country: string;
  readonly oauth2?:
    | { readonly tokenPath: string; readonly clientId: string; readonly clientSecret: string; readonly scope?: string | undefined }
    | undefined;
  readonly mtls?: { readonly url: string; readonly cert: string; readonly key: string } | undefined;
  readonly apiKey?: string | undefined;
  /** Where they are told of payments, for kinds whose endpoints in the registry take none. */
  readonly noticePath?: string | undefined;
}

/** An endpoint as the registry lists it. */
export interface RegisteredEndpoint {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly agencyKind: string;
  readonly authMode: string;
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
}

/** Agencies outside. Each call throws an `AdapterFailure` where an agency cannot answer, or is not connected. */
export interface Agencies {
  /** Whether agencies of a kind are connected, in some country or in this one; a `stub` makes its answers up. */
  standing(kind: string, country?: string): 'connected' | 'stub' | 'unconnected';
  /** Whether agencies of a kind are called at all at present. */
  available(kind: string): boolean;
  /** Calls an endpoint of the registry, in the way in which it wants to be shown who calls. */
  ask(endpoint: string, asked: AgencyAsked): Promise<AgencyAnswer>;
  /** Tells an agency of a payment; a repetition tells it nothing new. */
  notify(kind: string, country: string, notice: PaymentNotice): Promise<NoticeReceipt>;
  close(): Promise<void>;
}

/** What an agency is told of: its part of a paid assessment. */
export interface PaymentNotice {
  readonly assessment: string;
  readonly mda: string;
  readonly currency: string;
  readonly amount: number;
  readonly paid_at: Date | null;
  readonly lines: readonly { readonly service: string; readonly service_name: string; readonly quantity: number; readonly amount: number }[];
}

export interface NoticeReceipt {
  /** The agency's number for it; null where it gives none. */
  readonly receipt: string | null;
  /** The agency's answer without credentials. */
  readonly response: Readonly<Record<string, unknown>>;
}
