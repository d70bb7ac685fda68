import { onTestFinished, vi } from 'vitest';
import { DEADLINES } from './deadlines.ts';

/**
 * Waits until something is found and returns it: for values that a test goes on with, and for hooks, which have no
 * `expect.poll`.
 */
export function waitFor<T>(what: string, find: () => T | Promise<T>): Promise<NonNullable<T>> {
  return vi.waitFor(
    async () => {
      const found = await find();
      if (!found) throw new Error(`There is no ${what}`);
      return found;
    },
    { timeout: DEADLINES.event, interval: 10 },
  );
}

/**
 * Lets so much time pass for what goes by this machine's clocks, as breakers and tokens do. The time of day is right
 * again once the test ends; the steady clock never goes back.
 */
export function passTime(ms: number): void {
  onTestFinished(move(Date, ms));
  move(performance, ms);
}

/** Sets this machine's clock back, until the test ends. */
export function setBack(ms: number): void {
  onTestFinished(move(Date, -ms));
}

/** Moves a clock; answers how it is moved back. */
function move(clock: { now(): number }, ms: number): () => void {
  const { now } = clock;
  clock.now = () => now.call(clock) + ms;
  return () => void (clock.now = now);
}
