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

/** Lets so much time pass, until the test ends, for what goes by this machine's clock, as breakers and tokens do. */
export function passTime(ms: number): void {
  const { now } = Date;
  const later = vi.spyOn(Date, 'now').mockImplementation(() => now() + ms);
  onTestFinished(() => later.mockRestore());
}
