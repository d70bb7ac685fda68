import type { Drawn } from './chart.ts';
import { FONT, type Look } from './look.ts';
import { bars } from './kinds/bars.ts';
import { lines, stacked } from './kinds/over-time.ts';

const KINDS = { lines, stacked, bars } as const;

/** Options of a chart for ECharts: the same on the server and in browsers. */
export function optionsOf(chart: Drawn, look: Look, width: number) {
  return { animation: false, textStyle: { ...FONT, color: look.ink }, ...KINDS[chart.kind](chart, look, width) };
}

/** Height of a chart: as many bars as it has, each with room to tell it from the next. */
export function heightOf({ kind, labels, series }: Pick<Drawn, 'kind' | 'labels' | 'series'>, width: number): number {
  if (kind === 'bars') return 36 + labels.length * (series.length > 1 ? 44 : 30);
  return width < 500 ? 240 : 300;
}
