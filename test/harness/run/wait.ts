import { onTestFinished, vi } from 'vitest';
import { DEADLINES } from './deadlines.ts';

/** What is found, once something is: for what a test goes on with, and in hooks, where there is no `expect.poll`. */
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

/** Lets so much time pass, until the test ends, for what goes by this machine's clocks, as breakers and tokens do. */
export function passTime(ms: number): void {
  move(Date, ms);
  move(performance, ms);
}

/** Sets this machine's clock back, until the test ends. */
export function setBack(ms: number): void {
  move(Date, -ms);
}

function move(clock: { now(): number }, ms: number): void {
  const { now } = clock;
  clock.now = () => now.call(clock) + ms;
  onTestFinished(() => void (clock.now = now));
}
