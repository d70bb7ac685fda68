import type { Chart, Mark } from '../../charts/chart.ts';
import type { Texts } from '../../languages/texts.ts';
import { type DaySpan, type Step, daysIn, lengthOf, nameStep, periodsOf, stepAt, stepsOf } from '../days.ts';
import { drawPanel } from '../panel.ts';

/** Days, weeks or months; null where nothing was recorded yet. */
type Points = readonly { readonly net: number | null }[];

/** Revenue over time in one currency, and in the periods that it is compared with. */
export type StepsOfTotal = Readonly<Record<'steps' | 'stepsBefore' | 'stepsYearAgo', Points>>;

export const NO_STEPS: StepsOfTotal = { steps: [], stepsBefore: [], stepsYearAgo: [] };

/** What an agency should collect in a fiscal year. */
export interface Target extends DaySpan {
  readonly agencyId: string;
  readonly currency: string;
  readonly target: number;
}

/** Revenue over time, of a period and of those that it is compared with. */
export interface Steps extends StepsOfTotal {
  readonly span: DaySpan;
  readonly targets: readonly Target[] | null;
  /** The first day of which anything is recorded; null while nothing is. */
  readonly recordedSince: string | null;
}

/** A line of revenue, with those of other periods, and what should be collected where `hasTarget`. */
export function chartSteps(
  { span, steps, stepsBefore, stepsYearAgo, targets, recordedSince }: Steps,
  currency: string,
  length: Step,
  { hasTarget, today, marks }: { readonly hasTarget: boolean; readonly today: string; readonly marks: readonly Mark[] },
  { t, language }: Pick<Texts, 't' | 'language'>,
): Chart {
  const days = daysIn(span, length);
  const keys = [...days.keys()];
  const [first, last] = [recordedSince && stepAt(recordedSince, length), stepAt(today, length)];
  const { before, yearAgo } = periodsOf(span);
  const target = hasTarget ? targetsOf(targets ?? [], currency, span, length) : null;
  // What nothing was collected in is zero where something could have been recorded: neither before that nor to come.
  const valuesOf = (points: Points, own: readonly string[]) =>
    own.map((key, index) => (first !== null && key >= first && key <= last ? (points[index]?.net ?? 0) : null));
  // A period compared with another, first day with first day; nothing where none of it is recorded.
  const compared = (name: string, points: Points, other: DaySpan) => {
    const values = valuesOf(points, stepsOf(other, length));
    const isKnown = values.some((value) => value !== null);
    return isKnown ? { name: t(name), of: at(values), as: 'comparison' as const } : null;
  };
  return drawPanel({
    kind: 'lines',
    name: 'revenue',
    title: t(`oversight.over.${length}`),
    description: t('oversight.overAbout', { from: span.fromDate, to: span.toDate, currency }),
    head: t(`oversight.step.${length}`),
    currency,
    rows: keys,
    // With how many days it has of a week or month of which the span has only a part.
    label: (key) => {
      const [step, count] = [nameStep(key, length, language), days.get(key)!];
      const isWhole = (key === keys.at(-1) && key === last) || count === lengthOf(key, length);
      return isWhole ? step : t('oversight.someDays', { step, count });
    },
    running: keys.at(-1) === last,
    marks,
    columns: [
      { name: t('oversight.current'), of: at(valuesOf(steps, keys)) },
      compared('oversight.before', stepsBefore, before),
      compared('oversight.yearAgo', stepsYearAgo, yearAgo),
      target && { name: t('oversight.target'), of: at(target), as: 'target' },
    ],
  });
}

const at = (values: readonly (number | null)[]) => (_row: unknown, index: number) => values[index] ?? null;

/** What agencies should collect in each step: as much of the year's target as the step has of its days; null without. */
function targetsOf(targets: readonly Target[], currency: string, span: DaySpan, step: Step): number[] | null {
  const own = targets.filter((target) => target.currency === currency);
  if (own.length === 0) return null;
  const aDay = own.reduce((sum, { target, ...year }) => sum + target / daysIn(year, 'day').size, 0);
  return [...daysIn(span, step).values()].map((days) => Math.round(aDay * days));
}
