import { setImmediate as turn } from 'node:timers/promises';

/** The turns of all that has waited so far. */
let turns: Promise<void> = Promise.resolve();

/**
 * A long list in batches, between which other waiting work has its turn: for work that is too much for one turn of the
 * event loop, and too little for a thread of its own. Lists that are worked on at the same time have one turn after
 * another.
 */
export async function* takeTurns<T>(items: readonly T[], size = 25): AsyncGenerator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) {
    if (start > 0) await (turns = turns.then(() => turn()));
    yield items.slice(start, start + size);
  }
}

/** The items of a long list, one after another: what is made of them takes turns too. */
export async function* eachInTurn<T>(items: readonly T[]): AsyncGenerator<T> {
  for await (const batch of takeTurns(items)) yield* batch;
}
