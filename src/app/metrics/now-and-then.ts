import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { Rail } from '../../platform/call/call.ts';

/** For how long what was read is answered again, however often it is asked. */
const FRESH_MS = 10_000;
/** Longest wait for a new reading: the other metrics do not wait for a database that is away or locked. */
const ANSWER_MS = 300;

/**
 * Reads something for metrics, once in some seconds. While the database does not answer, the last reading is answered,
 * null before the first; the gauge `<what>_age_seconds` says how old it is, or since when there is none.
 */
export function readNowAndThen<T>(
  rail: Rail,
  registry: Registry,
  what: string,
  read: (rail: Rail) => Promise<T>,
): () => Promise<T | null> {
  let last: { readonly at: number; readonly value: T | null } = { at: performance.now(), value: null };
  let reading: Promise<void> | null = null;
  const begin = async (at: number): Promise<void> => {
    try {
      last = { at, value: await read(rail) };
    } catch (error) {
      rail.log.warn({ err: error, metrics: what }, 'The database could not be read for metrics');
    }
    reading = null;
  };
  const recent = async (): Promise<T | null> => {
    const at = performance.now();
    if (last.value === null || at - last.at > FRESH_MS) {
      reading ??= begin(at);
      await Promise.race([reading, sleep(rail.config.metricsWaitMs ?? ANSWER_MS, undefined, { ref: false })]);
    }
    return last.value;
  };
  registry.registerMetric(
    new Gauge({
      name: `${what}_age_seconds`,
      help: 'Time since it was read from the database, or since this process began where it has not read it yet.',
      registers: [],
      async collect() {
        await recent();
        this.set((performance.now() - last.at) / 1_000);
      },
    }),
  );
  return recent;
}
