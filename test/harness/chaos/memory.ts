import { expect } from 'vitest';
import type { TestRail } from '../rail.ts';
import { makeActor } from '../flow.ts';
import { makeStaff } from '../people/staff.ts';
import { DOCUMENTS } from './worst/documents.ts';
import { fuzz } from './fuzz/fuzz.ts';
import { measureHeldMiB } from './heap.ts';

/** Sends so many documents as strangers do, by turns of each kind; how many more MiB are held after them. */
export async function sendDocuments(rail: TestRail, count: number): Promise<number> {
  const send = async (from: number, to: number) => {
    for (let nth = from; nth < to; nth++) {
      const query = DOCUMENTS[nth % DOCUMENTS.length]!(nth);
      expect((await rail.ask('/graphql', { body: { query } })).status).toBe(200);
    }
  };
  return measureGrowth(
    rail,
    () => send(0, DOCUMENTS.length * 2),
    () => send(DOCUMENTS.length * 2, count),
  );
}

/** Sends so many requests of a seed, after some to warm up; how many more MiB are held after them. */
export async function soak(rail: TestRail, { warm, count }: { warm: number; count: number }): Promise<number> {
  const who = { integrator: await makeActor(rail), staff: await makeStaff(rail, 'admin') };
  const send = async (seed: number, many: number) =>
    expect(await fuzz(rail, who, { seed, more: (sent) => sent < many, hands: 2 })).toEqual([]);
  return measureGrowth(
    rail,
    () => send(1, warm),
    () => send(2, count),
  );
}

async function measureGrowth(rail: TestRail, before: () => Promise<void>, run: () => Promise<void>): Promise<number> {
  await before();
  const held = await measure();
  await run();
  return (await measure()) - held;

  async function measure(): Promise<number> {
    // The log that the test keeps is not the rail's memory.
    rail.logged.length = 0;
    return measureHeldMiB();
  }
}
