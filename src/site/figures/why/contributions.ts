/** Part of a change, with its amount in each span. */
export interface Contribution {
  readonly name: string;
  readonly now: number;
  readonly was: number;
  readonly difference: number;
  /** Link to why this part moved; null if there is none. */
  readonly link: string | null;
}

/** Most parts that are named; the others are one. */
const MOST_NAMED = 8;

/** Those that moved most, and the others as one, so that all together are the whole change. */
export function largest(parts: readonly Contribution[], total: Contribution): Contribution[] {
  const moved = parts.toSorted((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
  const named = moved.slice(0, MOST_NAMED).filter(({ difference }) => difference !== 0);
  const restOf = (of: 'now' | 'was' | 'difference') =>
    exact(total[of] - named.reduce((all, part) => all + part[of], 0));
  const rest = { ...total, now: restOf('now'), was: restOf('was'), difference: restOf('difference') };
  return rest.now === 0 && rest.was === 0 ? named : [...named, rest];
}

/** Collections and reversals of a span. */
export type Taken = Readonly<Record<'collected' | 'reversed' | 'payments', number>>;

/**
 * A change of net revenue as what more or fewer payments made of it, at what a payment was on average before; what
 * larger or smaller ones made of it; and what was reversed. Together they are the change.
 */
export function splitChange(now: Taken, was: Taken): { number: number; size: number; reversals: number } {
  const average = was.payments > 0 ? was.collected / was.payments : now.payments > 0 ? now.collected / now.payments : 0;
  const number = exact((now.payments - was.payments) * average);
  return {
    number,
    size: exact(now.collected - was.collected - number),
    reversals: exact(was.reversed - now.reversed),
  };
}

/** To the hundredth: amounts have no finer parts, and sums of them none that binary fractions add. */
function exact(amount: number): number {
  return Math.round(amount * 100) / 100;
}
