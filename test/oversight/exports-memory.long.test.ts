import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedHistory } from '../../src/sandbox/history.ts';
import { type Served, serve } from '../harness/processes.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();
const EVENTS = 30_000;
const ROUNDS = 6;
let served: Served;
let keys: string[];

beforeAll(async () => {
  await Array.fromAsync(seedHistory(rail.rail, { events: EVENTS, years: 1, agencies: 4, seed: 1 }));
  keys = await Promise.all([1, 2].map(async () => (await rail.key('oversight.read')).plaintext));
  served = await serve('src/app/main.ts', {
    DATABASE_URL: rail.url,
    DATA_DIR: rail.dataDir,
    PORT: '0',
    LOG_LEVEL: 'error',
    JOBS: 'off',
    // Exports do not read the copy of facts, which is filled in the meantime and takes as much again.
    OVERSIGHT: 'off',
  });
}, 120_000);

afterAll(() => served.stop());

/** Four files at a time, as many as two keys may have; the bytes of each. */
const exportAll = () =>
  Promise.all(
    keys.flatMap((key) =>
      ['text/csv', 'application/vnd.apache.parquet'].map(async (accept) => {
        const answer = await fetch(`${served.origin}/v1/oversight/payment-events`, {
          headers: { authorization: `Bearer ${key}`, accept },
        });
        expect(answer.status).toBe(200);
        return (await answer.arrayBuffer()).byteLength;
      }),
    ),
  );

describe(`${ROUNDS} rounds of 4 exports of ${EVENTS} events`, () => {
  it('hold little memory, and no more at the end than after the first', async () => {
    const before = served.memoryMiB();
    const after: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      expect(Math.min(...(await exportAll()))).toBeGreaterThan(100_000);
      after.push(served.memoryMiB());
    }
    process.stdout.write(`${JSON.stringify({ before, after })}\n`);
    expect(after.at(-1)! - before).toBeLessThan(150);
    expect(after.at(-1)! - after[0]!).toBeLessThan(50);
  }, 300_000);
});
