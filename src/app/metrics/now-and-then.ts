import { setTimeout as sleep } from 'node:timers/promises';
import type { Rail } from '../../platform/call/call.ts';

/** For how long what was read is answered again, however often it is asked. */
const FRESH_MS = 10_000;
/** Within which the database has to answer: the other metrics do not wait for one that is away or locked. */
const ANSWER_MS = 300;

/**
 * Reads something for metrics, once in some seconds. Null where the database does not answer, which the log says: a
 * metric that is old would hide it.
 */
export function readNowAndThen<T>(rail: Rail, what: string, read: (rail: Rail) => Promise<T>): () => Promise<T | null> {
  let last: { readonly at: number; readonly answer: Promise<T | null> } | null = null;
  const readInTime = async (): Promise<T | null> => {
    const late = sleep(rail.config.metricsWaitMs ?? ANSWER_MS, null, { ref: false }).then(() => {
      throw new Error('The database did not answer in time');
    });
    try {
      return await Promise.race([read(rail), late]);
    } catch (error) {
      rail.log.warn({ err: error }, `${what} could not be read for metrics`);
      return null;
    }
  };
  return () => {
    if (last === null || performance.now() - last.at > FRESH_MS) last = { at: performance.now(), answer: readInTime() };
    return last.answer;
  };
}
