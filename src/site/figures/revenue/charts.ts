import type { Chart, Mark } from '../../charts/chart.ts';
import type { Texts } from '../../languages/texts.ts';
import { type DaySpan, type Step, countDays, daysIn, lengthOf, nameStep, periodsOf, stepAt, stepsOf } from '../days.ts';
import { type Recorded, drawPanel, isRecordedIn } from '../panel.ts';

/** Days, weeks or months; null where nothing was recorded yet. */
type Points = readonly { readonly net: number | null }[];

/** Revenue over time in one currency, and in the periods that it is compared with. */
export type StepsOfTotal = Readonly<Record<'steps' | 'stepsBefore' | 'stepsYearAgo', Points>>;

/** Target of an agency in a fiscal year. */
export interface Target extends DaySpan {
  readonly currency: string;
  readonly target: number;
}

interface Steps extends Partial<StepsOfTotal>, Recorded {
  readonly span: DaySpan;
  readonly step: Step;
  readonly currency: string;
  /** Null where nothing says how much should be collected. */
  readonly targets: readonly Target[] | null;
  readonly marks: readonly Mark[];
}

/** A line of revenue, with those of other periods, and what should be collected. */
export function chartSteps(about: Steps, { t, language }: Texts): Chart {
  const { span, step, currency, targets, marks, today } = about;
  const days = daysIn(span, step);
  const keys = [...days.keys()];
  const running = keys.at(-1) === stepAt(today, step);
  const { before, yearAgo } = periodsOf(span);
  const target = targets && shareTargets(targets, span, step);
  const isRecorded = isRecordedIn(step, about);
  // A step without revenue is zero if something could have been recorded in it.
  const valuesOf = (points: Points = [], own = keys) =>
    own.map((key, index) => (isRecorded(key) ? (points[index]?.net ?? 0) : null));
  // A period compared with another, first day with first day; nothing where none of it is recorded.
  const compared = (name: string, points: Points | undefined, other: DaySpan) => {
    const values = valuesOf(points, stepsOf(other, step));
    const isKnown = values.some((value) => value !== null);
    return isKnown ? { name: t(name), of: at(values), as: 'comparison' as const } : null;
  };
  return drawPanel({
    kind: 'lines',
    name: 'revenue',
    title: t(`oversight.over.${step}`),
    description: t('oversight.overAbout', { from: span.fromDate, to: span.toDate, currency }),
    head: t(`oversight.step.${step}`),
    unit: { currency },
    rows: keys,
    // With how many days it has of a week or month of which the span has only a part.
    label: (key) => {
      const [name, count] = [nameStep(key, step, language), days.get(key)!];
      const isWhole = (running && key === keys.at(-1)) || count === lengthOf(key, step);
      return isWhole ? name : t('oversight.someDays', { step: name, count });
    },
    running,
    marks,
    columns: [
      { name: t('oversight.current'), of: at(valuesOf(about.steps)) },
      compared('oversight.before', about.stepsBefore, before),
      compared('oversight.yearAgo', about.stepsYearAgo, yearAgo),
      target && { name: t('oversight.target'), of: at(target), as: 'target' },
    ],
  });
}

const at = (values: readonly (number | null)[]) => (_row: unknown, index: number) => values[index] ?? null;

/** Target of agencies in each step: as much of the year's target as the step has of its days. */
function shareTargets(targets: readonly Target[], span: DaySpan, step: Step): number[] {
  const aDay = targets.reduce((sum, { target, ...year }) => sum + target / countDays(year), 0);
  return [...daysIn(span, step).values()].map((days) => Math.round(aDay * days));
}

/** Most bars of a chart. */
const MOST_BARS = 15;

/** A part of revenue in a chart. */
interface Part {
  readonly name: string;
  readonly link: string | null;
  readonly current: number;
  readonly before: number;
}

/** A bar for each part, next to that of the period before where that is compared. */
export function chartParts(
  parts: readonly Part[],
  { currency, head, compared }: { readonly currency: string; readonly head: string; readonly compared: boolean },
  { t }: Texts,
): Chart | null {
  if (parts.length === 0) return null;
  return drawPanel({
    kind: 'bars',
    name: 'comparison',
    title: t(compared ? 'oversight.compared' : 'oversight.parts', { by: head }),
    description: t(compared ? 'oversight.comparedAbout' : 'oversight.partsAbout', { currency }),
    head,
    unit: { currency },
    rows: parts.slice(0, MOST_BARS),
    label: ({ name }) => name,
    link: ({ link }) => link,
    columns: [
      { name: t('oversight.current'), of: ({ current }) => current },
      compared ? { name: t('oversight.before'), of: ({ before }) => before, as: 'comparison' } : null,
    ],
  });
}
