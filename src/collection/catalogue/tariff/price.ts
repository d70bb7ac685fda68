import { Decimal, minorDigitsOf, zero } from '../../../kernel/money.ts';
import { dayOfMonth } from '../../../kernel/time.ts';
import type { Rule, RuleOf, Tariff } from './tariff.ts';

/** What a payer, or an agency, declares for a line. */
export interface Declared {
  readonly base: Decimal;
  readonly stated: Decimal;
}

/** The amount of one piece by a rule, in a currency; `declared` has what the rule asks for. */
export function priceBy(rule: Rule, { base, stated: amount }: Declared, currency: string): Decimal {
  switch (rule.kind) {
    case 'fixed':
      return fixed(rule);
    case 'stated':
      return stated(amount);
    case 'percent':
      return percent(rule, base, currency);
    case 'tiers':
      return tiers(rule, base, currency);
  }
}

export function fixed({ amount }: Pick<RuleOf<'fixed'>, 'amount'>): Decimal {
  return new Decimal(amount);
}

/** An amount as it was stated, which is exact and within its limits. */
export function stated(amount: Decimal): Decimal {
  return amount;
}

export function percent(rule: Omit<RuleOf<'percent'>, 'kind' | 'base'>, base: Decimal, currency: string): Decimal {
  return settle(base.times(rule.percent).dividedBy(100), rule, currency);
}

/**
 * In slices, each tier charges the part of the base that lies in it, and its own amount once the base enters it;
 * otherwise the tier that the base lies in charges for all of it. A base at the end of a tier lies in that tier.
 */
export function tiers(rule: Omit<RuleOf<'tiers'>, 'kind' | 'base'>, base: Decimal, currency: string): Decimal {
  const bands = rule.tiers.map(({ up_to, percent: part = 0, amount = 0 }, index) => {
    const from = new Decimal(rule.tiers[index - 1]?.up_to ?? 0);
    const to = up_to === undefined ? base : Decimal.min(base, up_to);
    const charge = (of: Decimal) => of.times(part).dividedBy(100).plus(amount);
    return { from, entered: index === 0 || base.greaterThan(from), whole: charge(base), slice: charge(to.minus(from)) };
  });
  const entered = bands.filter((band) => band.entered);
  const amount = rule.slices ? entered.reduce((sum, { slice }) => sum.plus(slice), zero) : entered.at(-1)!.whole;
  return settle(amount, rule, currency);
}

type Limits = Pick<RuleOf<'percent'>, 'least' | 'most' | 'round_to'>;

/** An amount rounded once, half up, to the step of its rule or the currency's minor unit, and within its limits then. */
function settle(amount: Decimal, { least = 0, most = Infinity, round_to }: Limits, currency: string): Decimal {
  const rounded = amount.toNearest(round_to ?? new Decimal(10).pow(-minorDigitsOf(currency)), Decimal.ROUND_HALF_UP);
  return Decimal.max(least, Decimal.min(most, rounded));
}

/**
 * The day by which what is assessed on a day is to be paid: so many days later, or the next such day of a month, or the
 * last of a shorter month. Null where the tariff does not say. Days are UTC midnights, as `Date` has them.
 */
export function dueDayOf({ due }: Pick<Tariff, 'due'>, day: Date): Date | null {
  if (!due) return null;
  const [year, month, date] = [day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate()];
  if ('days' in due) return new Date(Date.UTC(year, month, date + due.days));
  const inMonth = (of: number) => dayOfMonth(year, of, due.day_of_month);
  return inMonth(month) < day ? inMonth(month + 1) : inMonth(month);
}
