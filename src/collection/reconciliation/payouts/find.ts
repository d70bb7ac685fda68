import type { Call } from '../../../platform/call/call.ts';
import { type Decimal, zero } from '../../../kernel/money.ts';
import { dayIn } from '../../../kernel/time.ts';
import { type WorkingDays, readWorkingDays } from '../../catalogue/holidays.ts';
import { amountOf, netOf, owedOf, placeOf } from './owed.ts';
import { type Asked, type Books, type Part, readBooks } from './read.ts';
import { type Arrived, type Credit, shareOut } from './share-out.ts';
import { termsOf } from './terms.ts';

export const PAYOUT_STATES = {
  expected: 'Nothing arrived, and it is not due before the end of the day `dueOn`.',
  arrived: 'All that was to arrive did.',
  short: 'A part of it arrived.',
  over: 'More arrived than was to.',
  missing: 'Nothing arrived, and it is overdue.',
} as const;

export type PayoutState = keyof typeof PAYOUT_STATES;

/** What a provider pays out to an agency of one day of its payments, in one currency. */
export interface Payout {
  readonly mda: string;
  readonly provider: string;
  readonly currency: string;
  /** By the clock of the agency, as `YYYY-MM-DD`. */
  readonly day: string;
  readonly expected: Decimal;
  readonly fees: Decimal;
  readonly refunded: Decimal;
  /** null where other agencies have the account too: the bank does not tell them apart. */
  readonly received: Decimal | null;
  readonly difference: Decimal | null;
  readonly dueOn: string;
  /** The day on which the last of it was on the account; null where nothing is. */
  readonly arrivedOn: string | null;
  /** Of all agencies together that have the account. */
  readonly state: PayoutState;
}

/** The payouts of some days, by day, agency, provider and currency. */
export async function findPayouts(call: Call, asked: Asked): Promise<Payout[]> {
  const [books, working] = await Promise.all([readBooks(call, asked), readWorkingDays(call)]);
  const payouts = planPayouts(books, {
    workingDaysOf: working,
    termsOf: (provider) => termsOf(call.config, provider),
    now: call.now(),
  });
  return payouts.filter(
    ({ mda, day }) => day >= asked.from && day <= asked.to && (asked.agencies?.includes(mda) ?? true),
  );
}

interface Setting {
  readonly workingDaysOf: (mda: string) => WorkingDays;
  readonly termsOf: (provider: string) => { readonly afterDays: number };
  readonly now: Date;
}

/** A row for each agency of an account, and each day that has payments, refunds or fees, or that a line of a bank is about. */
function planPayouts({ parts, credits, holders }: Books, setting: Setting): Payout[] {
  const partsOf = Map.groupBy(parts, placeOf);
  const creditsOf = Map.groupBy(credits, placeOf);
  const payouts = [...new Set([...partsOf.keys(), ...creditsOf.keys()])].flatMap((place) => {
    const [key, provider, currency] = place.split(' ') as [string, string, string];
    const inPlace = { provider, currency, mdas: holders.get(key) ?? [] };
    return planPlace(inPlace, partsOf.get(place) ?? [], creditsOf.get(place) ?? [], setting);
  });
  return payouts.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
}

/** A text by which payouts are in their order, and which names one. */
export const orderOf = ({ day, mda, provider, currency }: Pick<Payout, 'day' | 'mda' | 'provider' | 'currency'>) =>
  `${day} ${mda} ${provider} ${currency}`;

function planPlace(
  { provider, currency, mdas }: { provider: string; currency: string; mdas: readonly string[] },
  parts: readonly Part[],
  credits: readonly Credit[],
  { workingDaysOf, termsOf: terms, now }: Setting,
): Payout[] {
  const byDay = Map.groupBy(parts, ({ day }) => day);
  const arrived = shareOut(owedOf(parts), credits);
  return [...new Set([...byDay.keys(), ...arrived.keys()])].flatMap((day) => {
    const all = byDay.get(day) ?? [];
    const came = arrived.get(day) ?? { received: zero, lastOn: null };
    const difference = came.received.minus(netOf(all));
    const isShared = mdas.length > 1;
    return mdas.flatMap((mda): Payout[] => {
      const own = all.filter((part) => part.mda === mda);
      if (isShared && own.length === 0 && all.length > 0) return [];
      const working = workingDaysOf(mda);
      const dueOn = working.after(day, terms(provider).afterDays);
      return [
        {
          mda,
          provider,
          currency,
          day,
          expected: amountOf(own, 'expected'),
          fees: amountOf(own, 'fees'),
          refunded: amountOf(own, 'refunded'),
          received: isShared ? null : came.received,
          difference: isShared ? null : difference,
          dueOn,
          arrivedOn: came.lastOn,
          state: stateOf(came, difference, dayIn(now, working.timeZone) > dueOn),
        },
      ];
    });
  });
}

function stateOf({ lastOn }: Arrived, difference: Decimal, isOverdue: boolean): PayoutState {
  if (difference.isZero()) return 'arrived';
  if (lastOn === null) return isOverdue ? 'missing' : 'expected';
  return difference.isNegative() ? 'short' : 'over';
}
