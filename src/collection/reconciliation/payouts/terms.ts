import type { Settles } from '../../../adapters/payment/statement.ts';
import type { Config } from '../../../platform/config/config.ts';
import { ALLOCATION } from '../../payments/settlement/open-money/allocation.ts';

/** Who pays out nothing: the clerk has cash in hand, and money that was allocated had arrived before. */
export const NOT_PAID_OUT: readonly string[] = ['cash', ALLOCATION];

/** Terms of providers that the rail no longer knows. */
const USUAL: Settles = { afterDays: 1, netOfFees: false };

/** The settlement terms of a provider, of a connection to one, or of a payment point, by the name that intents have. */
export function termsOf({ providers, connections, billers }: Config, name: string): Settles {
  const known = [...connections.providers, ...billers, ...providers].find((one) => one.name === name);
  return known?.settles ?? USUAL;
}

/** The providers that pay out, by name, as far as the rail knows them. */
export function listPayingOut({ providers, connections, billers }: Config): string[] {
  return [...new Set([...connections.providers, ...billers, ...providers].map(({ name }) => name))];
}
