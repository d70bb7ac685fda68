import { expect } from 'vitest';
import type { TestRail } from '../rail.ts';

/**
 * Does something; its answer, and what holds that a moment was taken meanwhile by the rail's clock, or is so many
 * milliseconds after one that was.
 */
export async function timed<T>(rail: TestRail, act: () => Promise<T>) {
  const from = rail.rail.now().getTime();
  const answer = await act();
  const until = rail.rail.now().getTime();
  const expectTaken = (moment: string, laterMs = 0) => {
    const taken = Date.parse(moment) - laterMs;
    expect({ moment, early: taken < from, late: taken > until }).toEqual({ moment, early: false, late: false });
  };
  return { answer, expectTaken };
}
