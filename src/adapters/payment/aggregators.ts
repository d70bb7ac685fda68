import type { Channel } from '../../generated/prisma/enums.ts';
import type { PeerOptions } from '../http/peer.ts';
import { cashAdapter } from './cash.ts';
import { type CallDurations, measured } from './measured.ts';
import type { PaymentAdapter } from './port.ts';
import type { PaymentProvider, RefundRules } from './provider.ts';
import type { Settles } from './statement.ts';
import { openStub } from './stub.ts';

/** A connection to a provider, as the configuration has it. */
export interface ProviderConnection {
  readonly name: string;
  readonly provider: PaymentProvider;
  /** The country whose agencies it collects for; null: any. */
  readonly country: string | null;
  /** The currencies that it collects; null: any. */
  readonly currencies: readonly string[] | null;
  readonly settles: Settles;
  readonly peer: PeerOptions;
  /** The provider's own, in the form that its description says. */
  readonly options: Parameters<PaymentProvider['open']>[0];
}

/** Somebody who collects: a connection to a provider, a stand-in for one in a sandbox, or the clerk who takes cash. */
export interface Aggregator extends Pick<ProviderConnection, 'name' | 'country' | 'currencies'> {
  readonly channel: Channel;
  readonly adapter: PaymentAdapter;
  /** The refunds that it makes when it is asked to; null: none. */
  readonly refunds: RefundRules | null;
}

/** The aggregators that this rail collects through, by the names that intents know them by. */
export type Aggregators = ReadonlyMap<string, Aggregator>;

/** The aggregators that offer a way of paying. */
export function listOffering(aggregators: Aggregators, channel: Channel): Aggregator[] {
  return [...aggregators.values()].filter((aggregator) => aggregator.channel === channel);
}

interface Setting {
  readonly mode: 'sandbox' | 'live';
  readonly providers: readonly PaymentProvider[];
  readonly connections: readonly ProviderConnection[];
  /** Secrets of callbacks, by connection. */
  readonly callbackSecrets: Readonly<Record<string, readonly string[]>>;
  readonly origin: () => string;
  readonly now: () => Date;
  readonly callDurations: CallDurations;
}

/**
 * The aggregators of a rail. Connections speak their provider's protocol; a channel without any is made up in sandbox
 * mode, as the first provider of it that is known, and closed in live mode.
 */
export async function openAggregators(setting: Setting): Promise<Aggregators> {
  const { mode, providers, connections, callbackSecrets, origin, now } = setting;
  const open = async ({ provider, options, peer, ...connection }: ProviderConnection): Promise<Aggregator> => {
    const settings = { name: connection.name, peer, secrets: callbackSecrets[connection.name] ?? [], origin };
    const adapter = await provider.open(options, settings);
    return { ...connection, channel: provider.channel, adapter, refunds: adapter.refund ? provider.refunds : null };
  };
  const connected = await Promise.all(connections.map(open));
  const makeUp = (
    { name, channel, refunds }: Pick<PaymentProvider, 'name' | 'channel' | 'refunds'>,
    stub: { needsPayer: boolean; enquirable: boolean },
  ): Aggregator => ({
    name,
    channel,
    country: null,
    currencies: null,
    adapter: openStub({ name, ...stub, now }),
    refunds,
  });
  const unconnected = providers.filter(({ channel }, index) => {
    const isFirst = providers.findIndex((other) => other.channel === channel) === index;
    return isFirst && connected.every((aggregator) => aggregator.channel !== channel);
  });
  const stubs =
    mode === 'live' ? [] : unconnected.map((provider) => makeUp(provider, { ...provider.stub, enquirable: true }));
  // Only the clerk knows whether cash is in hand.
  const cashStub = makeUp({ name: 'cash', channel: 'cash', refunds: null }, { needsPayer: false, enquirable: false });
  const cash = mode === 'live' ? { ...cashStub, adapter: cashAdapter } : cashStub;
  const asked = [...connected, ...stubs].map(({ adapter, ...aggregator }): Aggregator => {
    const { name: connection, channel } = aggregator;
    return { ...aggregator, adapter: measured(adapter, { connection, channel }, setting.callDurations) };
  });
  return new Map([...asked, cash].map((aggregator) => [aggregator.name, aggregator]));
}
