import { expect, it } from 'vitest';
import { formatMoment, readMoment } from '../../src/kernel/time.ts';

const DAY = 86_400_000;

it('writes moments as toISOString does, and reads what it wrote', () => {
  const begun = Date.parse('2026-11-22T00:00:00.000Z');
  const times = [0, 1, 9, 10, 99, 100, 999, 1_000, 59_999, 60_000, 3_599_999, 3_600_000, DAY - 1, DAY, -1];
  const days = [
    0,
    DAY,
    -begun,
    Date.parse('9998-12-31') - begun,
    Date.parse('0001-01-01') - begun,
    8.64e15 - begun - DAY,
  ];
  for (const day of days)
    for (const time of times) {
      const at = new Date(begun + day + time);
      expect(formatMoment(at)).toBe(at.toISOString());
      expect(readMoment(at.toISOString())).toBe(at.getTime());
    }
  expect(formatMoment(new Date(-8.64e15))).toBe(new Date(-8.64e15).toISOString());
  expect(readMoment(new Date(-8.64e15).toISOString())).toBe(-8.64e15);
});

it('refuses what is no moment', () => {
  expect(() => formatMoment(new Date(Number.NaN))).toThrow(RangeError);
  expect(readMoment('no moment at all, but as long')).toBeNaN();
});
