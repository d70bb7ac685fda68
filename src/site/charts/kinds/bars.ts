import { type Drawn, formatOf } from '../chart.ts';
import { FONT, type Look, toneOf } from '../look.ts';
import { STILL, figuresAxis, labelsAxis } from './axes.ts';

/** Bars from left to right, one below the other; names that are long are cut, and whole in the table. */
export function bars(chart: Drawn, look: Look, width: number) {
  const format = formatOf(chart, true);
  const room = Math.round(width * 0.32);
  const axis = labelsAxis(chart, look);
  return {
    grid: { left: room + 8, right: 52, top: 4, bottom: 24 },
    xAxis: figuresAxis(chart, look, width < 500 ? 2 : 5),
    yAxis: {
      ...axis,
      inverse: true,
      axisLabel: { ...axis.axisLabel, width: room, overflow: 'truncate' as const, color: look.ink, interval: 0 },
    },
    series: chart.series.map(({ name, values, as, tone }) => ({
      ...STILL,
      type: 'bar' as const,
      name,
      data: [...values],
      color: toneOf(look, tone),
      itemStyle: { opacity: as ? 0.45 : 1 },
      barMaxWidth: 20,
      label: {
        ...FONT,
        show: !as,
        position: 'right' as const,
        color: look.ink,
        formatter: ({ value }: { value?: unknown }) => (typeof value === 'number' ? format(value) : ''),
      },
    })),
  };
}
