import { expect, it } from 'vitest';
import { takeTurns } from '../../src/kernel/event-loop.ts';

it('has lists that are worked on at the same time take turns of the event loop, a batch each', async () => {
  let turn = 0;
  let over = false;
  const count = () => {
    turn++;
    if (!over) setImmediate(count);
  };
  count();
  const taken: number[] = [];
  const work = async () => {
    const items: number[] = [];
    for await (const batch of takeTurns([...Array(125).keys()])) {
      if (items.length > 0) taken.push(turn);
      items.push(...batch);
    }
    return items;
  };
  const lists = await Promise.all([work(), work(), work()]);
  over = true;
  for (const list of lists) expect(list).toEqual([...Array(125).keys()]);
  // The first batches need not wait.
  expect(taken).toHaveLength(12);
  expect(new Set(taken).size).toBe(12);
});
