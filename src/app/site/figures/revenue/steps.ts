import type { Chart } from '../../charts/chart.ts';
import type { Texts } from '../../languages/texts.ts';
import { type DaySpan, type Step, daysIn, nameStep, periodsOf, stepsOf } from '../days.ts';

/** A row by days, weeks or months. */
export interface StepRow {
  readonly currency: string;
  readonly day: string | null;
  readonly week: string | null;
  readonly month: string | null;
  readonly net: number;
}

/** What an agency should collect in a fiscal year. */
export interface Target {
  readonly agencyId: string;
  readonly currency: string;
  readonly fromDate: string;
  readonly toDate: string;
  readonly target: number;
}

/** Revenue over time, of a period and of those that it is compared with. */
export interface Steps {
  readonly span: DaySpan;
  readonly steps: { readonly nodes: readonly StepRow[] };
  readonly before: { readonly nodes: readonly StepRow[] };
  readonly yearAgo: { readonly nodes: readonly StepRow[] };
  readonly targets: readonly Target[] | null;
}

/** A line of revenue, beside those of other periods, and what should be collected where `hasTarget`. */
export function chartSteps(
  { span, steps, before, yearAgo, targets }: Steps,
  unit: string,
  length: Step,
  hasTarget: boolean,
  { t: say, language }: Pick<Texts, 't' | 'language'>,
): Chart {
  const keys = stepsOf(span, length);
  const others = periodsOf(span);
  const target = hasTarget ? targetsOf(targets ?? [], unit, span, length) : null;
  return {
    kind: 'lines',
    name: 'revenue',
    title: say(`oversight.over.${length}`),
    description: say('oversight.overAbout', { from: span.fromDate, to: span.toDate, currency: unit }),
    head: say(`oversight.step.${length}`),
    labels: keys.map((key) => nameStep(key, length, language)),
    unit: { currency: unit },
    series: [
      { name: say('oversight.current'), values: valuesOf(steps.nodes, unit, keys, length) },
      compared(say('oversight.before'), before.nodes, stepsOf(others.before, length)),
      compared(say('oversight.yearAgo'), yearAgo.nodes, stepsOf(others.yearAgo, length)),
      ...(target ? [{ name: say('oversight.target'), values: target, as: 'target' as const }] : []),
    ],
  };

  /** A period beside another: the first day beside the first. */
  function compared(name: string, rows: readonly StepRow[], own: readonly string[]) {
    const values = valuesOf(rows, unit, own, length);
    return { name, values: keys.map((_key, index) => values[index] ?? null), as: 'comparison' as const };
  }
}

function valuesOf(rows: readonly StepRow[], currency: string, keys: readonly string[], step: Step): number[] {
  const net = new Map(rows.filter((row) => row.currency === currency).map((row) => [row[step], row.net]));
  return keys.map((key) => net.get(key) ?? 0);
}

/** What agencies should collect in each step: as much of the year's target as the step has of its days; null without. */
function targetsOf(targets: readonly Target[], currency: string, span: DaySpan, step: Step): number[] | null {
  const own = targets.filter((target) => target.currency === currency);
  if (own.length === 0) return null;
  const aDay = own.reduce(
    (sum, { target, fromDate, toDate }) => sum + target / daysIn({ fromDate, toDate }, 'day').size,
    0,
  );
  return [...daysIn(span, step).values()].map((days) => Math.round(aDay * days));
}
