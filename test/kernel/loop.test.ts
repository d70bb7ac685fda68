import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { type Rest, restUntil, startLoop } from '../../src/kernel/loop.ts';
import { Groups } from '../../src/kernel/groups.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A loop whose rounds rest as they are told, and what tells it. */
function loopOf(rest: () => number | Rest) {
  const listeners = new Set<() => void>();
  let rounds = 0;
  const loop = startLoop(
    pino({ level: 'silent' }),
    'test',
    async () => {
      rounds++;
      return rest();
    },
    (heard) => {
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
  );
  onTestFinished(() => loop.stop());
  const tell = () => listeners.forEach((heard) => heard());
  return { loop, tell, rounds: () => rounds, listeners };
}

it('a loop rests until it hears of something, and not for less than it should', async () => {
  const { tell, rounds, loop, listeners } = loopOf(() => restUntil(100));
  await pass(140);
  expect(rounds()).toBe(1);
  tell();
  await pass(0);
  expect(rounds()).toBe(2);
  tell();
  tell();
  await pass(99);
  expect(rounds()).toBe(2);
  await pass(1);
  expect(rounds()).toBe(3);
  await pass(140);
  expect(rounds()).toBe(3);
  await loop.stop();
  expect(listeners.size).toBe(0);
});

it('a loop looks when something is due by itself, and when it is woken', async () => {
  const { loop, rounds } = loopOf(() => restUntil(10, 50));
  await pass(99);
  expect(rounds()).toBe(2);
  await pass(1);
  expect(rounds()).toBe(3);
  const still = loopOf(() => restUntil(60_000));
  await pass(1);
  still.loop.wake();
  await pass(0);
  expect(still.rounds()).toBe(2);
  await loop.stop();
});

it('what comes while one group is under way goes with the next; a group that fails fails for its own', async () => {
  const groups: number[][] = [];
  const { promise: written, resolve: write } = Promise.withResolvers<void>();
  const together = new Groups<number>(async (items) => {
    groups.push([...items]);
    await written;
    if (items.includes(3)) throw new Error('no');
  });
  const first = [together.add(1), together.add(2)];
  await pass(0);
  const second = [together.add(3), together.add(4)];
  write();
  await Promise.all(first);
  expect((await Promise.allSettled(second)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await together.add(5);
  expect(groups).toEqual([[1, 2], [3, 4], [5]]);
});
