import { Decimal, sum } from '../../kernel/money.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import type { Thresholds } from '../../collection/anomalies/thresholds.ts';
import { say } from '../../kernel/text/said.ts';

/** True if a variance is material: over the larger of an amount in its currency and a part of the expected cash. */
export function isMaterial(
  variance: Decimal,
  expected: Decimal,
  currency: string,
  { amounts, part }: Thresholds['cash_variance'],
): boolean {
  return variance.abs().greaterThan(Decimal.max(expected.abs().times(part), amounts[currency] ?? 0));
}

/** A number of notes or coins of one value. */
export interface Denomination {
  readonly value: Decimal;
  readonly count: number;
}

export const MOST_DENOMINATIONS = 50;
export const MOST_PIECES = 1_000_000;

/** Refuses a count by notes and coins that does not add up to the cash that was counted. */
export function checkDenominations(denominations: readonly Denomination[], counted: Decimal): void {
  for (const [index, { value }] of denominations.entries()) {
    if (!value.isPositive() || value.isZero())
      throw refuseValue(`denominations[${index}].value`, say`must be more than 0`);
  }
  const total = sum(denominations.map(({ value, count }) => value.times(count)));
  if (!total.equals(counted))
    throw refuseValue(
      'denominations',
      say`add up to ${total.toString()}, not to the ${counted.toString()} that were counted`,
    );
}
