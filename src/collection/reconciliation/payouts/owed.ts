import { sum } from '../../../kernel/money.ts';
import type { Part } from './read.ts';
import type { Owed } from './share-out.ts';

/** A text that names an account, a provider and a currency. */
export const placeOf = ({ key, provider, currency }: Pick<Part, 'key' | 'provider' | 'currency'>) =>
  `${key} ${provider} ${currency}`;

export const amountOf = (parts: readonly Part[], of: Part['of']) =>
  sum(parts.filter((part) => part.of === of).map(({ amount }) => amount));

/** What is to arrive of some parts: payments, less fees and what went back. */
export const netOf = (parts: readonly Part[]) =>
  amountOf(parts, 'expected').minus(amountOf(parts, 'fees')).minus(amountOf(parts, 'refunded'));

/** What is to arrive of each day, in their order. */
export function owedOf(parts: readonly Part[]): Owed[] {
  return [...Map.groupBy(parts, ({ day }) => day)]
    .map(([day, of]) => ({ day, net: netOf(of) }))
    .toSorted((one, other) => (one.day < other.day ? -1 : 1));
}
