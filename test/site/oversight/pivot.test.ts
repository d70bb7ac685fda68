import { describe, expect, it } from 'vitest';
import { pivot, spread } from '../../../src/site/charts/pivot.ts';

const rows = [
  { month: '2026-02', channel: 'cash', share: 0.5 },
  { month: '2026-01', channel: 'card', share: 0.25 },
  { month: '2026-01', channel: 'cash', share: null },
];

describe('figures as columns', () => {
  it('have a column for each of a kind, over months in their order, and nothing where there is no figure', () => {
    const made = pivot(
      rows,
      ({ month }) => month,
      ({ channel }) => channel,
      ({ share }) => share,
    );
    expect(made).toEqual({
      labels: ['2026-01', '2026-02'],
      series: [
        { key: 'cash', values: [null, 0.5] },
        { key: 'card', values: [0.25, null] },
      ],
    });
  });

  it('keep labels that are no time in the order in which they come', () => {
    const { labels } = pivot(
      [{ name: 'b' }, { name: 'a' }],
      ({ name }) => name,
      () => 'x',
      () => 1,
    );
    expect(labels).toEqual(['b', 'a']);
  });
});

describe('counts over a span', () => {
  const counts = [
    { day: '2026-02-28', key: 'high', count: 2 },
    { day: '2026-02-28', key: 'high', count: 1 },
    { day: '2026-03-02', key: 'low', count: 4 },
  ];
  const spreadOver = (fromDate: string, toDate: string) =>
    spread(counts, { fromDate, toDate }, ['high', 'low'], ({ key }) => key);

  it('have each of its days, those of which nothing is known too', () => {
    expect(spreadOver('2026-02-27', '2026-03-02')).toEqual({
      by: 'day',
      labels: ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'],
      series: [
        { key: 'high', values: [0, 3, 0, 0] },
        { key: 'low', values: [0, 0, 0, 4] },
      ],
    });
  });

  it('are those of months where it is long', () => {
    const { by, labels, series } = spreadOver('2025-12-15', '2026-04-01');
    expect([by, labels]).toEqual(['month', ['2025-12', '2026-01', '2026-02', '2026-03', '2026-04']]);
    expect(series.map(({ values }) => values)).toEqual([
      [0, 0, 3, 0, 0],
      [0, 0, 0, 4, 0],
    ]);
  });
});
