import { PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';

/** A turn of the event loop, in milliseconds. */
interface Turn {
  readonly from: number;
  readonly to: number;
  readonly cpuMs: number;
}

/** Shorter ones are not looked at again. */
const LONG_MS = 20;

/**
 * For how long the event loop is held at most while something runs, in milliseconds of CPU time of this thread: what
 * others would wait on a machine of their own, however busy this one is. Collecting garbage does not count, since most
 * of it is of tests that this process ran before.
 */
export async function measureLongestTurn(run: () => Promise<unknown>): Promise<number> {
  const turns: Turn[] = [];
  const collections: { readonly startTime: number; readonly duration: number }[] = [];
  const observer = new PerformanceObserver((list) => void collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  let from = performance.now();
  let before = process.threadCpuUsage();
  let over = false;
  const watch = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    const [cpuMs, to] = [(user + system) / 1_000, performance.now()];
    if (cpuMs > LONG_MS) turns.push({ from, to, cpuMs });
    from = to;
    before = process.threadCpuUsage();
    if (!over) setImmediate(watch);
  };
  setImmediate(watch);
  try {
    await run();
    // The last collection is reported one turn later.
    await turn();
    await turn();
  } finally {
    over = true;
    observer.disconnect();
  }
  const collecting = ({ from: begin, to }: Turn) =>
    collections
      .filter(({ startTime }) => startTime >= begin && startTime < to)
      .reduce((sum, { duration }) => sum + duration, 0);
  return Math.max(0, ...turns.map((one) => one.cpuMs - collecting(one)));
}
