import { setImmediate as turn } from 'node:timers/promises';

/**
 * A long list in batches, between which other waiting work has its turn: for work that is too much for one turn of the
 * event loop, and too little for a thread of its own.
 */
export async function* takeTurns<T>(items: readonly T[], size = 1_000): AsyncGenerator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) {
    yield items.slice(start, start + size);
    await turn();
  }
}
