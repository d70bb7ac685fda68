import type { Decimal } from '../../../kernel/money.ts';
import { minorDigitsOf, requirePositive, sum, zero } from '../../../kernel/money.ts';
import { type Detail, Refusal, refuseValue, refuseValues } from '../../../kernel/refusal.ts';
import { type Said, say } from '../../../kernel/text/said.ts';

/** The part of a payment that belongs to one line; `idx` is 0 where the splits of the payment differ from its lines. */
export interface Share {
  readonly idx: number;
  readonly mda: string;
  readonly amount: Decimal;
}

/** A line of which money is asked back: all that is left of it, or an amount. */
export interface AskedLine {
  readonly idx: number;
  readonly amount?: Decimal | null | undefined;
}

/**
 * The shares of a refund of some lines. Refuses lines that are not there, named twice, or without so much left.
 */
export function sharesOfLines(left: readonly Share[], lines: readonly AskedLine[], currency: string): Share[] {
  const details: Detail[] = [];
  const refuse = (index: number, member: string, message: Said) =>
    details.push({ path: `lines[${index}].${member}`, message });
  const seen = new Set<number>();
  const shares = lines.flatMap(({ idx, amount }, index): Share[] => {
    const share = left.find((one) => one.idx === idx);
    if (!share || idx === 0) return (refuse(index, 'idx', say`could not find this line in the payment`), []);
    if (seen.has(idx)) return (refuse(index, 'idx', say`names a line a second time`), []);
    seen.add(idx);
    if (amount == null) {
      if (share.amount.isZero()) return (refuse(index, 'idx', say`has nothing left to refund`), []);
      return [share];
    }
    try {
      requirePositive(`lines[${index}].amount`, amount, currency);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      details.push(...error.details);
    }
    if (amount.greaterThan(share.amount))
      refuse(index, 'amount', say`must be at most ${share.amount}, which is left of the line`);
    return [{ ...share, amount }];
  });
  if (details.length > 0) throw refuseValues(details);
  return shares;
}

/**
 * Spreads an amount over what is left, in proportion, by the largest remainder: what cannot be divided goes to the
 * largest shares first.
 */
export function spread(left: readonly Share[], amount: Decimal, currency: string): Share[] {
  const whole = sum(left.map((share) => share.amount));
  if (amount.greaterThan(whole))
    throw refuseValue('amount', say`must be at most ${whole}, which is left of the payment`);
  const digits = minorDigitsOf(currency);
  const parts = left.map((share) => {
    const exact = whole.isZero() ? zero : share.amount.times(amount).dividedBy(whole);
    const floor = exact.toDecimalPlaces(digits, 1);
    return { share, floor, remainder: exact.minus(floor) };
  });
  const unit = zero.plus(10).pow(-digits);
  let rest = amount.minus(sum(parts.map(({ floor }) => floor)));
  const byRemainder = parts.toSorted(
    (a, b) => b.remainder.comparedTo(a.remainder) || b.share.amount.comparedTo(a.share.amount),
  );
  const more = new Set<Share>();
  for (const { share } of byRemainder) {
    if (!rest.greaterThan(0)) break;
    more.add(share);
    rest = rest.minus(unit);
  }
  return parts
    .map(({ share, floor }) => ({ ...share, amount: more.has(share) ? floor.plus(unit) : floor }))
    .filter((share) => share.amount.greaterThan(0));
}

/** The amount that each agency gives back. */
export function byAgency(shares: readonly Share[]): { readonly mda: string; readonly amount: Decimal }[] {
  const agencies = [...new Set(shares.map(({ mda }) => mda))].toSorted();
  return agencies.map((mda) => ({
    mda,
    amount: sum(shares.filter((share) => share.mda === mda).map(({ amount }) => amount)),
  }));
}

/** Shares of which each line of an agency has one. */
export function mergeShares(shares: readonly Share[]): Share[] {
  const lines = Map.groupBy(shares, ({ idx, mda }) => `${idx} ${mda}`);
  return [...lines.values()].map((same) => ({ ...same[0]!, amount: sum(same.map(({ amount }) => amount)) }));
}
