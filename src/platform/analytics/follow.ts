import type { Logger } from 'pino';
import { type Heard, type Loop, restUntil, startLoop } from '../../kernel/loop.ts';
import type { Analytics } from './analytics.ts';

/** Changes are taken together: a question brings the copy up to its own moment anyway. */
const LEAST_MS = 500;
/** A process that has just started serves first: filling the copy takes a processor for as long as there is history. */
const FIRST_MS = 10_000;

interface Following {
  readonly analytics: Pick<Analytics, 'keepUp'>;
  readonly log: Logger;
  readonly work: { readonly hear: Heard };
}

/** Keeps the copy of facts up to date, so that a question has little to wait for. */
export function startFollowing({ analytics, log, work }: Following): Loop {
  let started = false;
  const round = async () => {
    if (!started) {
      started = true;
      return FIRST_MS;
    }
    await analytics.keepUp();
    return restUntil(LEAST_MS);
  };
  return startLoop(log, 'analytics', round, work.hear);
}
