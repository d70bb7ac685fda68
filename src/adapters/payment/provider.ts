import type { Channel } from '../../generated/prisma/enums.ts';
import type { z } from '../../kernel/zod.ts';
import type { PeerOptions } from '../http/peer.ts';
import type { CallbackHeader, PaymentAdapter } from './port.ts';
import type { Settles, StatementFormat } from './statement.ts';

/** Settings of a provider's adapter, besides the provider's own options. */
export interface ConnectionSettings {
  /** The name of this connection: what intents, callback addresses and statements know it by. */
  readonly name: string;
  readonly peer: PeerOptions;
  /** Secrets that callbacks are proven with; the first is used, all are understood. */
  readonly secrets: readonly string[];
  /** The rail's address, known for sure once it listens. */
  readonly origin: () => string;
}

/** The refunds that a provider makes. */
export interface RefundRules {
  /** True if it gives back a part of a payment. */
  readonly partial: boolean;
  /** True if it gives back a payment in several parts. */
  readonly several: boolean;
  /** Days after the payment in which it gives back; null: it has no limit. */
  readonly withinDays: number | null;
  /** Payer of the refund: the accounts that the shares went to, or the collector's, to which agencies then owe it. */
  readonly from: 'shares' | 'collector';
}

/**
 * A payment provider, described once: configuration, callbacks, reconciliation and the documentation read this.
 * `providers.ts` lists those that the rail ships with.
 */
export interface PaymentProvider<Options extends z.ZodRawShape = z.ZodRawShape> {
  /**
   * Its name in `CONNECTIONS`, `WEBHOOK_SECRET_…`, callback addresses and statements, in lower case with underscores.
   */
  readonly name: string;
  /** The way of paying that it offers. */
  readonly channel: Channel;
  /** The countries that it serves, each with the currencies that it collects there; a connection may say otherwise. */
  readonly markets: Readonly<Record<string, readonly string[]>>;
  /** The members that a connection has in `CONNECTIONS` besides those of every connection. */
  readonly options: Options;
  /** The headers in which its callbacks carry their proof. */
  readonly callbackHeaders: readonly CallbackHeader[];
  /** Default format of its settlement statements. */
  readonly statement: StatementFormat;
  /** Its usual terms; a connection may say others. */
  readonly settles: Settles;
  /** The refunds that it makes; null: none. */
  readonly refunds: RefundRules | null;
  /** Differences of the made-up adapter of a sandbox that stands in for it. */
  readonly stub: { readonly needsPayer: boolean };
  /** Loads its adapter, and what that calls the provider by: a rail without a connection needs neither. */
  open(options: z.output<z.ZodObject<Options>>, settings: ConnectionSettings): Promise<PaymentAdapter>;
}
