import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Point, judge, slopeOf } from './fit.ts';

/** Twenty minutes of a sample each 15 s, with a wave and a jitter that are the same each time. */
const series = (valueAt: (minute: number, noise: number) => number): Point[] =>
  Array.from({ length: 81 }, (_, at) => ({
    minute: at / 4,
    value: valueAt(at / 4, Math.sin(at) + ((at * 7_919) % 13) / 6.5 - 1),
  }));
const HEAP = { once: 20, perMinute: 0.3 };

describe('the slope of a series', () => {
  it('is that of a line, without an error', () => {
    fc.assert(
      fc.property(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 0, max: 500 }), (slope, from) => {
        const fitted = slopeOf(series((minute) => from + slope * minute));
        expect(fitted.slope).toBeCloseTo(slope, 6);
        expect(fitted.error).toBeCloseTo(0, 6);
        expect(fitted.mean).toBeCloseTo(from + slope * 10, 6);
      }),
    );
  });

  it('has the error that a textbook has', () => {
    const fitted = slopeOf(
      [1, 2, 3, 4, 5].map((minute) => ({ minute, value: [2.1, 3.9, 6.2, 7.8, 10.1][minute - 1]! })),
    );
    expect(fitted.slope).toBeCloseTo(1.99, 9);
    expect(fitted.error).toBeCloseTo(0.059_722, 5);
  });

  it('is not known of fewer than three points', () => {
    for (const points of [[], [{ minute: 0, value: 1 }], series((minute) => minute).slice(0, 2)])
      expect(slopeOf(points).error).toBe(Infinity);
  });
});

describe('the verdict', () => {
  it('lets pass what is flat, however noisy, what falls, and what fills up once', () => {
    expect(
      judge(
        series((_minute, noise) => 120 + 30 * noise),
        HEAP,
      ).grows,
    ).toBe(false);
    expect(
      judge(
        series((minute, noise) => 300 - 5 * minute + noise),
        HEAP,
      ).grows,
    ).toBe(false);
    expect(
      judge(
        series((minute, noise) => 120 + Math.min(minute, 10) + noise),
        HEAP,
      ).grows,
    ).toBe(false);
    expect(
      judge(
        series(() => 7),
        { once: 0, perMinute: 0 },
      ).grows,
    ).toBe(false);
  });

  it('names what leaks, also below its noise, and what is never given back', () => {
    expect(
      judge(
        series((minute, noise) => 120 + 2 * minute + noise),
        HEAP,
      ).grows,
    ).toBe(true);
    expect(
      judge(
        series((minute, noise) => 120 + 2.5 * minute + 10 * noise),
        HEAP,
      ).grows,
    ).toBe(true);
    // Four places that are taken in turn for good.
    expect(
      judge(
        series((minute) => Math.min(4, Math.floor(minute / 3))),
        { once: 0, perMinute: 0.02 },
      ).grows,
    ).toBe(true);
  });

  it('is none of too few points', () => {
    expect(judge(series((minute) => 100 * minute).slice(0, 2), HEAP).grows).toBe(false);
  });
});
