import type { Drawn } from '../chart.ts';
import { FONT, type Look, decalOf, shapeOf, toneOf } from '../look.ts';
import { STILL, figuresAxis, labelsAxis } from './axes.ts';

const GRID = {
  left: 4,
  right: 12,
  top: 14,
  bottom: 4,
  outerBoundsMode: 'same',
  outerBoundsContain: 'axisLabel',
} as const;
const DASHES = { comparison: [2, 4], target: [8, 4] } as const;
/** Fewer than these are no course of anything: they stand side by side as bars. */
const FEWEST_POINTS = 4;

/** True if a chart is drawn as standing bars, which patterns tell apart. */
export function isColumns({ kind, labels }: Pick<Drawn, 'kind' | 'labels'>): boolean {
  return kind === 'stacked' || (kind === 'lines' && labels.length < FEWEST_POINTS);
}

/**
 * Lines: one alone is filled to its axis, what it is compared with is dotted, what it should reach is dashed. The way to
 * a day, week or month that is not over is dotted too.
 */
export function lines(chart: Drawn, look: Look) {
  if (isColumns(chart)) return columns(chart, look, null);
  const axis = labelsAxis(chart, look);
  const last = chart.labels.length - 1;
  const alone = chart.series.filter(({ as }) => !as).length === 1;
  return {
    grid: GRID,
    xAxis: {
      ...axis,
      boundaryGap: false,
      // The last one stands at the edge of the picture, where its second half would be cut off.
      axisLabel: { ...axis.axisLabel, alignMaxLabel: 'right' as const },
    },
    yAxis: figuresAxis(chart, look, 4),
    series: chart.series.flatMap(({ name, values, as, tone }, index) => {
      // Several lines are told apart by their points too, and not by colour alone.
      const symbol = alone || as ? 'none' : shapeOf(tone);
      const line = { ...STILL, type: 'line' as const, color: toneOf(look, tone), symbol, symbolSize: 7 };
      const width = as ? 1.75 : 2.5;
      const whole = {
        ...line,
        name,
        data: [...values],
        lineStyle: { width, type: as ? [...DASHES[as]] : ('solid' as const) },
        ...(alone && !as && { areaStyle: { opacity: 0.09 } }),
        ...(index === 0 && chart.marks && { markLine: marksOf(chart, look) }),
      };
      if (!chart.running || as) return [whole];
      // A whole line is laid over the dotted one, up to what is over.
      const over = { ...line, data: values.with(last, null), lineStyle: { width } };
      return [{ ...whole, lineStyle: { width, type: [...DASHES.comparison] } }, over];
    }),
  };
}

/** Events as numbers on the picture; those of an earlier or later part of it are left out. */
function marksOf({ marks = [], labels }: Drawn, look: Look) {
  return {
    silent: true,
    symbol: 'none',
    animation: false,
    lineStyle: { color: look.quiet, type: [2, 3], width: 1 },
    label: { ...FONT, color: look.ink, position: 'end' as const, distance: 2 },
    data: marks.flatMap(({ at }, index) =>
      at < 0 || at >= labels.length ? [] : [{ xAxis: at, label: { formatter: String(index + 1) } }],
    ),
  };
}

/** Bars that stand on one another. */
export function stacked(chart: Drawn, look: Look) {
  return columns(chart, look, 'all');
}

/** Bars that stand: on one another in a stack, or side by side. That of what is not over is open. */
function columns(chart: Drawn, look: Look, stack: string | null) {
  const last = chart.labels.length - 1;
  const several = chart.series.filter(({ as }) => !as).length > 1;
  return {
    grid: GRID,
    xAxis: { ...labelsAxis(chart, look), boundaryGap: true },
    yAxis: figuresAxis(chart, look, 4),
    series: chart.series.map(({ name, values, as, tone }) => {
      const color = toneOf(look, tone);
      const open = { color, opacity: 0.4, borderColor: color, borderWidth: 1, borderType: 'dashed' as const };
      return {
        ...STILL,
        type: 'bar' as const,
        ...(stack !== null && { stack }),
        barMaxWidth: 36,
        name,
        data: values.map((value, index) =>
          chart.running && index === last ? { value, itemStyle: open } : (value as number),
        ),
        color,
        itemStyle: { opacity: as ? 0.45 : 1, ...(several && !as && patternOf(tone, look)) },
      };
    }),
  };
}

/** The pattern of a tone as ECharts has it; null where it is plain. */
function patternOf(tone: number, { paper }: Look) {
  const decal = decalOf(tone);
  if (!decal) return null;
  const { symbol, across, down, turned } = decal;
  const [dashArrayX, dashArrayY] = [[...across], [...down]];
  return { decal: { symbol, symbolSize: 1, dashArrayX, dashArrayY, rotation: (turned * Math.PI) / 180, color: paper } };
}
