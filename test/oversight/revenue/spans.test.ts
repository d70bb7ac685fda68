import { describe, expect, it } from 'vitest';
import { DAY_MS, formatDay } from '../../../src/kernel/time.ts';
import { type Days, roundToMonths } from '../../../src/oversight/figures/span.ts';
import { seedRandom } from '../../harness/chaos/tampering.ts';

const on = (day: string) => new Date(`${day}T00:00:00Z`);
const between = (from: string | null, to: string | null): Days =>
  ({ from: from && on(from), to: to && on(to) }) as Days;

/** What the months of a span are, and what is added to them and taken off, written down. */
function write({ from, to }: Days): string {
  return `${from ? formatDay(from) : '…'} to ${to ? formatDay(to) : '…'}`;
}

function* daysOf({ from, to }: Days): Generator<string> {
  for (let day = from!.getTime(); day <= to!.getTime(); day += DAY_MS) yield formatDay(new Date(day));
}

describe('a span in months', () => {
  it.each([
    ['whole months', '2025-02-01', '2025-03-31', '2025-02-01 to 2025-03-31', [], []],
    ['up to today', '2025-02-01', '2025-03-23', '2025-02-01 to 2025-03-31', [], ['2025-03-24 to 2025-03-31']],
    ['from late in a month', '2025-01-20', '2025-03-31', '2025-02-01 to 2025-03-31', ['2025-01-20 to 2025-01-31'], []],
    ['from early in a month', '2025-01-03', null, '2025-01-01 to …', [], ['2025-01-01 to 2025-01-02']],
    ['without a beginning', null, '2025-03-04', '… to 2025-02-28', ['2025-03-01 to 2025-03-04'], []],
    [
      'within a month',
      '2025-01-03',
      '2025-01-30',
      '2025-01-01 to 2025-01-31',
      [],
      ['2025-01-01 to 2025-01-02', '2025-01-31 to 2025-01-31'],
    ],
    ['around the middle of a month', '2025-01-14', '2025-01-18', null, ['2025-01-14 to 2025-01-18'], []],
    ['over the end of a month', '2025-01-28', '2025-02-03', null, ['2025-01-28 to 2025-02-03'], []],
  ])('%s', (_what, from, to, months, added, taken) => {
    const rounded = roundToMonths(between(from, to));
    expect([rounded.months && write(rounded.months), rounded.added.map(write), rounded.taken.map(write)]).toEqual([
      months,
      added,
      taken,
    ]);
  });

  it('has each of its days once and no other, and looks at no more days than the span has', () => {
    const random = seedRandom(7);
    for (let round = 0; round < 500; round++) {
      const from = new Date(on('2023-12-01').getTime() + Math.floor(random() * 500) * DAY_MS);
      const span = { from, to: new Date(from.getTime() + Math.floor(random() * 100) * DAY_MS) };
      const { months, added, taken } = roundToMonths(span);
      const counts = new Map<string, number>();
      const count = (days: Days, by: number) => {
        for (const day of daysOf(days)) counts.set(day, (counts.get(day) ?? 0) + by);
      };
      if (months) count(months, 1);
      for (const days of added) count(days, 1);
      for (const days of taken) count(days, -1);
      const had = [...counts].filter(([, times]) => times !== 0).toSorted(([a], [b]) => (a < b ? -1 : 1));
      expect(had, write(span)).toEqual([...daysOf(span)].map((day) => [day, 1]));
      const looked = [...added, ...taken].reduce((days, one) => days + [...daysOf(one)].length, 0);
      expect(looked, write(span)).toBeLessThanOrEqual(had.length);
      if (months)
        expect([months.from!.getUTCDate(), new Date(months.to!.getTime() + DAY_MS).getUTCDate()]).toEqual([1, 1]);
    }
  });
});
