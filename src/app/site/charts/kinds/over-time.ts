import type { Drawn } from '../chart.ts';
import { type Look, toneOf } from '../look.ts';
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

/** Lines: the first is filled to its axis, what it is compared with is dotted, what it should reach is dashed. */
export function lines(chart: Drawn, look: Look) {
  const axis = labelsAxis(chart, look);
  return {
    grid: GRID,
    xAxis: {
      ...axis,
      boundaryGap: chart.labels.length === 1,
      // The last one stands at the edge of the picture, where its second half would be cut off.
      axisLabel: { ...axis.axisLabel, ...(chart.labels.length > 1 && { alignMaxLabel: 'right' as const }) },
    },
    yAxis: figuresAxis(chart, look, 4),
    series: chart.series.map(({ name, values, as, tone }) => ({
      ...STILL,
      type: 'line' as const,
      name,
      data: [...values],
      color: toneOf(look, tone),
      symbol: values.length === 1 ? 'circle' : 'none',
      symbolSize: 9,
      lineStyle: { width: as ? 1.75 : 2.5, type: as ? [...DASHES[as]] : ('solid' as const) },
      ...(tone === 0 && { areaStyle: { opacity: 0.09 } }),
    })),
  };
}

/** Bars that stand on one another; what should be reached, and what they are compared with, is a line. */
export function stacked(chart: Drawn, look: Look) {
  const { series, ...rest } = lines(chart, look);
  return {
    ...rest,
    xAxis: { ...labelsAxis(chart, look), boundaryGap: true },
    series: chart.series.map(({ name, values, as, tone }, index) =>
      as
        ? series[index]!
        : {
            ...STILL,
            type: 'bar' as const,
            stack: 'all',
            barMaxWidth: 36,
            name,
            data: [...values],
            color: toneOf(look, tone),
          },
    ),
  };
}
