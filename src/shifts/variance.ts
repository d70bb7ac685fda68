import { Decimal, sum } from '../money.ts';
import { invalid } from '../refusal.ts';

/** Up to this much a till may be out before somebody is told: 10,000 UGX, and about as much in other currencies. */
const TOLERANCE: Readonly<Record<string, number>> = { UGX: 10_000, KES: 350, TZS: 7_000, RWF: 4_000, USD: 3, EUR: 3 };
/** The other bound, as a part of the expected cash: 1 %. */
const TOLERATED_PART = new Decimal('0.01');

/** Whether a variance is material: over the larger of a fixed amount and 1 % of the expected cash. */
export function isMaterial(variance: Decimal, expected: Decimal, currency: string): boolean {
  const part = expected.abs().times(TOLERATED_PART);
  const fixed = new Decimal(TOLERANCE[currency] ?? 0);
  return variance.abs().greaterThan(Decimal.max(part, fixed));
}

/** So many notes or coins of one value. */
export interface Denomination {
  readonly value: Decimal;
  readonly count: number;
}

const MOST_DENOMINATIONS = 50;
const MOST_PIECES = 1_000_000;

/** Refuses a count by notes and coins that does not add up to the cash that was counted. */
export function checkDenominations(denominations: readonly Denomination[], counted: Decimal): void {
  if (denominations.length > MOST_DENOMINATIONS) throw invalid('denominations', `must have at most ${MOST_DENOMINATIONS} items`);
  for (const [index, { value, count }] of denominations.entries()) {
    if (!value.isPositive() || value.isZero()) throw invalid(`denominations[${index}].value`, 'must be more than 0');
    if (count < 0 || count > MOST_PIECES) throw invalid(`denominations[${index}].count`, `must be between 0 and ${MOST_PIECES}`);
  }
  const total = sum(denominations.map(({ value, count }) => value.times(count)));
  if (!total.equals(counted)) throw invalid('denominations', `add up to ${total.toString()}, not to the ${counted.toString()} that were counted`);
}
