import { AsyncLocalStorage } from 'node:async_hooks';

/** Something that has others go first for as long as it waits for an outside system. */
export interface Patient {
  aside<T>(run: () => Promise<T>): Promise<T>;
}

/**
 * On whose behalf something outside is called. A request that waits for a slow provider costs this process next to
 * nothing, and must not keep the place of one that could be answered.
 */
export const waiters = new AsyncLocalStorage<Patient>();

/** Waits for something outside, and lets other requests go first meanwhile. */
export function stepAside<T>(run: () => Promise<T>): Promise<T> {
  return waiters.getStore()?.aside(run) ?? run();
}
