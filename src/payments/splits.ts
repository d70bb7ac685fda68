import { type Decimal, positiveAmount, sum, zero } from '../money.ts';
import { type Detail, Refusal, invalidValues } from '../refusal.ts';

export interface Split {
  readonly mda: string;
  readonly amount: Decimal;
}

/** What each agency is owed by the lines of an assessment, by code. */
export function deriveSplits(lines: readonly { readonly mda: string; readonly amount: Decimal }[]): Split[] {
  const owed = new Map<string, Decimal>();
  for (const { mda, amount } of lines) owed.set(mda, (owed.get(mda) ?? zero).plus(amount));
  return [...owed]
    .map(([mda, amount]) => ({ mda, amount }))
    .filter(({ amount }) => !amount.isZero())
    .toSorted(byAgency);
}

/** Splits as a caller wants them: each agency open for payments and named once, each amount payable, all together the whole amount. */
export function explicitSplits(splits: readonly Split[], whole: { amount: Decimal; currency: string }, open: ReadonlySet<string>): Split[] {
  const details: Detail[] = [];
  const seen = new Set<string>();
  splits.forEach(({ mda, amount }, index) => {
    const path = `splits[${index}]`;
    if (!open.has(mda)) details.push({ path: `${path}.mda`, message: 'could not find this agency, or it does not collect at present' });
    if (seen.has(mda)) details.push({ path: `${path}.mda`, message: 'names an agency a second time' });
    seen.add(mda);
    try {
      positiveAmount(`${path}.amount`, amount, whole.currency);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      details.push(...error.details);
    }
  });
  const total = sum(splits.map(({ amount }) => amount));
  if (!total.equals(whole.amount)) {
    details.push({ path: 'splits', message: `must add up to ${whole.amount.toString()} ${whole.currency}, not to ${total.toString()}` });
  }
  if (details.length > 0) throw invalidValues(details);
  return splits.map(({ mda, amount }) => ({ mda, amount })).toSorted(byAgency);
}

function byAgency(a: Split, b: Split): number {
  return a.mda < b.mda ? -1 : 1;
}
