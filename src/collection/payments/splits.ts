import { type Decimal, requirePositive, sum, zero } from '../../kernel/money.ts';
import { type Detail, Refusal, refuseValues } from '../../kernel/refusal.ts';

export interface Split {
  readonly mda: string;
  readonly amount: Decimal;
}

/** Amount that an assessment's lines owe each agency, by code. */
export function deriveSplits(lines: readonly { readonly mda: string; readonly amount: Decimal }[]): Split[] {
  const owed = new Map<string, Decimal>();
  for (const { mda, amount } of lines) owed.set(mda, (owed.get(mda) ?? zero).plus(amount));
  return [...owed]
    .map(([mda, amount]) => ({ mda, amount }))
    .filter(({ amount }) => !amount.isZero())
    .toSorted(compareAgencies);
}

/** The agencies of some parts, the one with the largest share first; of what is reversed alike. */
export function agenciesBySize(parts: readonly Split[]): string[] {
  const shares = new Map<string, Decimal>();
  for (const { mda, amount } of parts) shares.set(mda, (shares.get(mda) ?? zero).plus(amount.abs()));
  return [...shares].toSorted(([a, of], [b, other]) => other.comparedTo(of) || (a < b ? -1 : 1)).map(([mda]) => mda);
}

/** Facts that decide if an agency can be paid a part of an assessment that does not owe it that. */
export interface Agency {
  readonly mda: string;
  readonly country: string;
  /** Currencies of its fees; empty if it has none. */
  readonly currencies: readonly string[];
}

/**
 * Splits as a caller wants them: each agency open for payments and named once, each amount payable, all together the
 * whole amount.
 */
export function checkExplicitSplits(
  splits: readonly Split[],
  whole: { amount: Decimal; currency: string },
  open: { has(mda: string): boolean },
): Split[] {
  const details: Detail[] = [];
  const seen = new Set<string>();
  splits.forEach(({ mda, amount }, index) => {
    const path = `splits[${index}]`;
    if (!open.has(mda))
      details.push({ path: `${path}.mda`, message: 'could not find this agency, or it does not collect at present' });
    if (seen.has(mda)) details.push({ path: `${path}.mda`, message: 'names an agency a second time' });
    seen.add(mda);
    try {
      requirePositive(`${path}.amount`, amount, whole.currency);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      details.push(...error.details);
    }
  });
  const total = sum(splits.map(({ amount }) => amount));
  if (!total.equals(whole.amount)) {
    details.push({
      path: 'splits',
      message: `must add up to ${whole.amount.toString()} ${whole.currency}, not to ${total.toString()}`,
    });
  }
  if (details.length > 0) throw refuseValues(details);
  return splits.map(({ mda, amount }) => ({ mda, amount })).toSorted(compareAgencies);
}

/** Difference between splits and the debts of the lines. */
export interface Deviation {
  /** The agency that gets less than it is owed, by the most. */
  readonly mda: string;
  /** Amount that goes to others than it is owed to, over all agencies. */
  readonly amount: Decimal;
}

/** Difference between splits of the whole amount and the debts; null if there is none. */
export function findDeviation(splits: readonly Split[], owed: readonly Split[]): Deviation | null {
  const given = new Map(splits.map(({ mda, amount }) => [mda, amount]));
  const lacking = owed
    .map(({ mda, amount }) => ({ mda, amount: amount.minus(given.get(mda) ?? zero) }))
    .filter(({ amount }) => amount.greaterThan(0));
  const most = lacking.toSorted((a, b) => b.amount.comparedTo(a.amount))[0];
  return most ? { mda: most.mda, amount: sum(lacking.map(({ amount }) => amount)) } : null;
}

/** Refuses splits that leave the countries of the lines, or pay an agency in a currency that it does not collect. */
export function refuseForeignSplits(
  splits: readonly Split[],
  owed: readonly Split[],
  currency: string,
  open: ReadonlyMap<string, Agency>,
): void {
  const countries = new Set(owed.map(({ mda }) => open.get(mda)?.country));
  const details: Detail[] = [];
  splits.forEach(({ mda }, index) => {
    const path = `splits[${index}].mda`;
    const { country, currencies } = open.get(mda)!;
    if (!countries.has(country)) details.push({ path, message: `is in ${country}, where none of the lines is owed` });
    if (currencies.length > 0 && !currencies.includes(currency))
      details.push({ path, message: `does not collect ${currency}` });
  });
  if (details.length > 0) throw refuseValues(details);
}

function compareAgencies(a: Split, b: Split): number {
  return a.mda < b.mda ? -1 : 1;
}
