import { type Drawn, formatOf } from '../chart.ts';
import { FONT, type Look } from '../look.ts';

/** The axis of figures: from nothing on, written short. */
export function figuresAxis(chart: Drawn, look: Look, splitNumber: number) {
  const format = formatOf(chart, true);
  return {
    type: 'value' as const,
    splitNumber,
    axisLabel: { ...FONT, color: look.quiet, formatter: (value: number) => format(value) },
    splitLine: { lineStyle: { color: look.line } },
    // Counts are whole.
    ...(chart.unit === 'count' && { minInterval: 1 }),
    // Shares of a whole end with the whole.
    ...(isNearlyWhole(chart) && { max: 1, interval: 0.25 }),
  };
}

function isNearlyWhole({ unit, series }: Drawn): boolean {
  const most = Math.max(...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  return unit === 'percent' && most > 0.8 && most <= 1;
}

/** The axis of labels. */
export function labelsAxis(chart: Drawn, look: Look) {
  return {
    type: 'category' as const,
    data: [...chart.labels],
    axisLine: { lineStyle: { color: look.quiet } },
    axisTick: { show: false },
    axisLabel: { ...FONT, color: look.quiet, hideOverlap: true },
  };
}

/** Nothing about a figure changes where the pointer is: the tip says it. */
export const STILL = { emphasis: { disabled: true }, animation: false, silent: true } as const;
