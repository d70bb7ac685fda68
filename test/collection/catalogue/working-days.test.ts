import { describe, expect, it } from 'vitest';
import { WorkingDays } from '../../../src/collection/catalogue/holidays.ts';

const usual = new WorkingDays('Africa/Kampala', ['saturday', 'sunday'], ['12-25', '12-26', '2026-11-30']);

describe('working days', () => {
  it('are those of no weekend and no holiday, of each year or of one', () => {
    const days = ['2026-11-28', '2026-11-29', '2026-11-30', '2026-12-01', '2027-11-30', '2028-12-25'];
    expect(days.filter((day) => usual.has(day))).toEqual(['2026-12-01', '2027-11-30']);
  });

  it('are counted after a day', () => {
    expect(usual.after('2026-11-26', 1)).toBe('2026-11-27');
    // A weekend, and a holiday after it.
    expect(usual.after('2026-11-27', 1)).toBe('2026-12-01');
    expect(usual.after('2026-11-29', 1)).toBe('2026-12-01');
    expect(usual.after('2026-11-28', 0)).toBe('2026-12-01');
    expect(usual.after('2026-12-01', 0)).toBe('2026-12-01');
    expect(usual.after('2026-12-23', 3)).toBe('2026-12-29');
  });

  it('have the weekend of their country', () => {
    const friday = new WorkingDays('Asia/Riyadh', ['friday', 'saturday'], []);
    expect(friday.after('2026-11-26', 1)).toBe('2026-11-29');
  });

  it('end somewhere, also where each day is a holiday', () => {
    const days = Array.from({ length: 366 }, (_, day) =>
      new Date(Date.UTC(2028, 0, 1 + day)).toISOString().slice(5, 10),
    );
    expect(new WorkingDays('UTC', [], days).after('2026-11-26', 2)).toBe('2027-11-27');
  });
});
