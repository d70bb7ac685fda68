import { expect, it, onTestFinished } from 'vitest';
import { WORK_CHANNEL, WorkSignal } from '../../../src/platform/change/work-signal.ts';
import { Listener } from '../../../src/platform/database/listener.ts';
import { createAssessed, makeActor } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';

/** A process in which nothing runs by itself. */
const rail = testRail();

it('a change in a process that runs no jobs is told to one that does, and none is told in its own twice', async () => {
  const listener = new Listener(rail.url, WORK_CHANNEL, () => {});
  onTestFinished(() => listener.end());
  const other = new WorkSignal(listener, rail.rail.log);
  let heard = 0;
  const unhear = other.hear(() => heard++);
  // It is woken once as it begins to listen.
  await expect.poll(() => heard).toBe(1);
  await createAssessed(rail, await makeActor(rail));
  await expect.poll(() => heard).toBeGreaterThan(1);
  unhear();
  const before = heard;
  const own: number[] = [];
  const stop = other.hear(() => own.push(1));
  other.note();
  expect([heard, own.length]).toEqual([before, 1]);
  stop();
});

it('what a process tells before it is connected is told as soon as it is', async () => {
  const [tells, listens] = [1, 2].map(() => new Listener(rail.url, 'early', () => {})) as [Listener, Listener];
  onTestFinished(async () => void (await Promise.all([tells.end(), listens.end()])));
  let heard = 0;
  listens.hear(() => heard++);
  await expect.poll(() => heard).toBe(1);
  await tells.notify();
  await expect.poll(() => heard).toBe(2);
});
