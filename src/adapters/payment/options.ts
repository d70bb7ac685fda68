import { z } from '../../kernel/zod.ts';
import { connectionName, country, currency, peerOf, describePeer } from '../http/options.ts';
import type { ProviderConnection } from './aggregators.ts';
import type { PaymentProvider } from './provider.ts';
import { type Settles, settlesForm } from './statement.ts';

/**
 * Form of payment providers in `CONNECTIONS`: `channels` has one connection of a provider, by its name; `providers`
 * lists any number of them, each for a country and its currencies.
 */
export function describeConnections(folder: string, known: readonly PaymentProvider[]) {
  const single = known.map((provider) => [provider.name, describeWherever(folder, provider).optional()] as const);
  const channels = z
    .strictObject(Object.fromEntries(single))
    .transform((given) => Object.values(given).filter((connection) => connection !== undefined));
  return { channels: channels.prefault({}), providers: z.array(describeList(folder, known)).default([]) };
}

/** A provider's only connection. It collects every country and currency. */
function describeWherever(folder: string, provider: PaymentProvider) {
  return z
    .strictObject({ ...describePeer(folder), ...provider.options, ...terms })
    .transform((given): ProviderConnection =>
      connect(provider, given, { name: provider.name, country: null, currencies: null }),
    );
}

/** One of a list of connections, which says of which provider it is. */
function describeList(folder: string, known: readonly PaymentProvider[]) {
  const names = known.map(({ name }) => name);
  const [first, ...others] = known.map((provider) =>
    describeInCountry(folder, provider, ['cash', ...names.filter((name) => name !== provider.name)]),
  );
  return z.discriminatedUnion('provider', [first!, ...others], { error: `must be one of ${names.join(', ')}` });
}

function describeInCountry(folder: string, provider: PaymentProvider, taken: readonly string[]) {
  const place = {
    provider: z.literal(provider.name),
    name: connectionName
      .refine((name) => !taken.includes(name), 'is the name of another provider')
      .default(provider.name),
    country,
    currencies: z.array(currency).min(1).max(50).optional(),
    ...terms,
  };
  return z
    .strictObject({ ...describePeer(folder), ...provider.options, ...place })
    .transform((given, context): ProviderConnection => {
      const currencies = given.currencies ?? provider.markets[given.country];
      if (currencies) return connect(provider, given, { name: given.name, country: given.country, currencies });
      context.addIssue({
        code: 'custom',
        path: ['currencies'],
        message: `are required: ${provider.name} has no usual ones in ${given.country}`,
      });
      return z.NEVER;
    });
}

/** Terms that every connection may have of its own. */
const terms = { settles: settlesForm.optional() };

type Given = Parameters<typeof peerOf>[0] & ProviderConnection['options'] & { readonly settles?: Settles | undefined };

function connect(
  provider: PaymentProvider,
  given: Given,
  place: Pick<ProviderConnection, 'name' | 'country' | 'currencies'>,
): ProviderConnection {
  const { settles = provider.settles } = given;
  return { ...place, provider, settles, peer: peerOf(given), options: given };
}
