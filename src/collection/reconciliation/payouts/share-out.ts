import { type Decimal, sum, zero } from '../../../kernel/money.ts';

/** A day of payments, by what is to come of it. */
export interface Owed {
  readonly day: string;
  /** What it comes to without fees and refunds; below zero where more went back. */
  readonly net: Decimal;
}

/** A line of a bank that pays out a span of days. */
export interface Credit {
  readonly from: string;
  readonly to: string;
  readonly amount: Decimal;
  readonly valueOn: string;
}

/** What arrived of a day, and on which day of the bank the last of it did; null where nothing did. */
export interface Arrived {
  readonly received: Decimal;
  readonly lastOn: string | null;
}

/**
 * What arrived of each day: a line pays the days of its span what is left of them. What it has too little lacks at the
 * end of its span, and what it has too much is with its last day. Days are in their order.
 */
export function shareOut(days: readonly Owed[], credits: readonly Credit[]): ReadonlyMap<string, Arrived> {
  const arrived = new Map<string, Arrived>();
  const receivedOn = (day: string) => arrived.get(day)?.received ?? zero;
  for (const { from, to, amount, valueOn } of credits.toSorted(byDays)) {
    const within = days.filter(({ day }) => day >= from && day <= to);
    const owed = within.length > 0 ? within : [{ day: from, net: zero }];
    const parts = owed.map(({ day, net }) => net.minus(receivedOn(day)));
    let rest = amount.minus(sum(parts));
    for (let place = parts.length - 1; place >= 0 && !rest.isZero(); place--) {
      const part = parts[place]!;
      const most = place === 0 || rest.isPositive() ? rest : max(rest, part.isPositive() ? part.negated() : zero);
      parts[place] = part.plus(most);
      rest = rest.minus(most);
    }
    owed.forEach(({ day, net }, place) => {
      const part = parts[place]!;
      if (part.isZero() && !net.isZero()) return;
      const { received, lastOn } = arrived.get(day) ?? { received: zero, lastOn: null };
      arrived.set(day, { received: received.plus(part), lastOn: lastOn && lastOn > valueOn ? lastOn : valueOn });
    });
  }
  return arrived;
}

const byDays = (one: Credit, other: Credit) => compare(one.from, other.from) || compare(one.valueOn, other.valueOn);

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

const max = (one: Decimal, other: Decimal) => (one.greaterThan(other) ? one : other);
