import type { Call } from '../../../platform/call/call.ts';
import { type Decimal, zero } from '../../../kernel/money.ts';
import { DAY_MS, addDays } from '../../../kernel/time.ts';
import { readWorkingDays } from '../../catalogue/holidays.ts';
import type { UnknownLine } from './lines.ts';
import { owedOf, placeOf } from './owed.ts';
import { readBooks } from './read.ts';
import { termsOf } from './terms.ts';

/** A run of days of one provider that nothing arrived of. */
export interface Span {
  readonly provider: string;
  readonly from: string;
  readonly to: string;
}

/** The most days that are added up: those of a weekend with a holiday at each end, and some. */
const MOST_DAYS = 7;

/** Days by which money may be on the account before or after it is due. */
const TOLERANCE_DAYS = 3;

interface Account {
  readonly key: string;
  readonly agencies: readonly string[];
  readonly from: string;
  readonly to: string;
}

/** The spans of days of an account by what they come to. */
export async function indexSpans(call: Call, { key, agencies, from, to }: Account) {
  const [books, workingDaysOf] = await Promise.all([readBooks(call, { from, to, agencies }), readWorkingDays(call)]);
  const working = workingDaysOf(agencies[0]!);
  const bySum = new Map<string, (Span & { readonly dueOn: string })[]>();
  const covered = books.credits.filter((credit) => credit.key === key);
  for (const [place, parts] of Map.groupBy(
    books.parts.filter((part) => part.key === key),
    placeOf,
  )) {
    const { provider, currency } = parts[0]!;
    const own = covered.filter((credit) => placeOf(credit) === place);
    const isFree = (day: string) => !own.some((credit) => credit.from <= day && day <= credit.to);
    const days = owedOf(parts).filter(({ net }) => !net.isZero());
    days.forEach(({ day: first }, start) => {
      let sum: Decimal = zero;
      for (const { day, net } of days.slice(start)) {
        if (day >= addDays(first, MOST_DAYS) || !isFree(day)) break;
        sum = sum.plus(net);
        const sumOf = `${currency} ${sum.toFixed()}`;
        const dueOn = working.after(day, termsOf(call.config, provider).afterDays);
        bySum.set(sumOf, [...(bySum.get(sumOf) ?? []), { provider, from: first, to: day, dueOn }]);
      }
    });
  }
  return {
    /** The only span that a line may pay out, of one provider where it is known; null where there is none, or several. */
    fitting({ currency, amount, valueOn }: UnknownLine, provider: string | null): Span | null {
      const fitting = (bySum.get(`${currency} ${amount.toFixed()}`) ?? []).filter(
        (span) =>
          (provider ?? span.provider) === span.provider &&
          span.to <= valueOn &&
          Math.abs(Date.parse(span.dueOn) - Date.parse(valueOn)) <= TOLERANCE_DAYS * DAY_MS,
      );
      const [only] = fitting;
      return only && fitting.length === 1 ? { provider: only.provider, from: only.from, to: only.to } : null;
    },
  };
}
