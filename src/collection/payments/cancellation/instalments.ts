import { Decimal, minorDigitsOf } from '../../../kernel/money.ts';
import { DAY_MS, dayOfMonth } from '../../../kernel/time.ts';

export const PERIODS = {
  month: 'One a month, on the same day of it; on the last day of a shorter month.',
  week: 'One a week, on the same day of it.',
} as const;

/** Payment of a debt in parts, the first of them due on a day. */
export interface Instalments {
  readonly count: number;
  readonly firstDueOn: Date;
  readonly every: keyof typeof PERIODS;
}

export const FEWEST_INSTALMENTS = 2;
export const MOST_INSTALMENTS = 24;

/** The days by which instalments are to be paid, one for each. */
export function daysOf({ count, firstDueOn: first, every }: Instalments): Date[] {
  const [year, month, day] = [first.getUTCFullYear(), first.getUTCMonth(), first.getUTCDate()];
  return Array.from({ length: count }, (_, nth) =>
    every === 'week' ? new Date(first.getTime() + nth * 7 * DAY_MS) : dayOfMonth(year, month + nth, day),
  );
}

/**
 * An amount in equal parts, by the largest remainder: what cannot be divided goes to the first ones, a minor unit to
 * each.
 */
export function divide(amount: Decimal, count: number, currency: string): Decimal[] {
  const unit = new Decimal(10).pow(-minorDigitsOf(currency));
  const least = amount.dividedBy(count).toNearest(unit, Decimal.ROUND_DOWN);
  const rest = amount.minus(least.times(count)).dividedBy(unit);
  return Array.from({ length: count }, (_, nth) => (rest.greaterThan(nth) ? least.plus(unit) : least));
}
