import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { collectInShift, openShift, sendInShift } from '../harness/people/counter.ts';
import { expectInvariants } from '../harness/chaos/invariants.ts';
import { type Served, serve } from '../harness/processes.ts';
import { testRail } from '../harness/rail.ts';
import { type StaffActor, makeStaff } from '../harness/people/staff.ts';
import { sizeOf } from '../harness/chaos/size.ts';
import { tally } from '../harness/chaos/tally.ts';

const rail = testRail();
const folder = mkdtempSync(join(tmpdir(), 'rail-shifts-'));
let processes: Served[] = [];

beforeAll(async () => {
  const start = () =>
    serve('src/app/main.ts', { DATABASE_URL: rail.url, DATA_DIR: folder, PORT: '0', JOBS: 'off', LOG_LEVEL: 'error' });
  processes = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()));
  rmSync(folder, { recursive: true, force: true });
});

async function post(i: number, path: string, body: object, { cookie }: StaffActor) {
  const response = await fetch(processes[i % 2]!.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    body: (await response.json()) as {
      data?: { cash_collected: number; collection_count: number; non_cash_collected: number; status: string };
    },
  };
}

const ROUNDS = sizeOf({ fast: 2, long: 20 });

describe('two processes on one database', () => {
  it('open one shift, when a clerk asks 50 times at a time', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => post(i, '/v1/counter-shifts', { mda: 'URA' }, clerk)),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 422: 49 });
    expect(await rail.count(sql`select 1 from counter_shift where clerk = ${clerk.email}`)).toBe(1);
  });

  it('close a shift on exactly what it collected, while 20 collections race the close', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const clerk = await makeStaff(rail, 'clerk');
      const shift = await openShift(clerk);
      const intents: { intent: string; amount: number; channel: string }[] = [];
      for (let i = 0; i < 20; i++) {
        const channel = i % 4 ? 'cash' : 'mtn_momo';
        intents.push({ channel, ...(await sendInShift(rail, clerk, shift, channel)) });
      }
      // Later in each round.
      const { promise: some, resolve: close } = Promise.withResolvers<void>();
      let answered = 0;
      const confirms = intents.map(async ({ intent }, i) => {
        const { status } = await post(i, `/v1/payment-intents/${intent}:confirm`, {}, clerk);
        if (answered++ === round % intents.length) close();
        return status;
      });
      await some;
      const closing = post(
        round,
        `/v1/counter-shifts/${shift}:close`,
        { cash_counted: 0, variance_reason: 'Racing' },
        clerk,
      );
      const [statuses, closed] = [await Promise.all(confirms), await closing];
      expect(closed).toMatchObject({ status: 200, body: { data: { status: 'Closed' } } });
      const cash = intents
        .filter(({ channel }, i) => channel === 'cash' && statuses[i] === 200)
        .reduce((total, { amount }) => total + amount, 0);
      // Cash that was taken is in the count; what was refused was not taken.
      expect(closed.body.data!.cash_collected).toBe(cash);
      for (const [i, { channel }] of intents.entries())
        expect(channel === 'cash' ? [200, 422] : [200]).toContain(statuses[i]);
      const [stored] = await rail.rows<{ cash: number; events: number }>(sql`
        select s.cash_collected::float8 as cash, coalesce(sum(e.amount) filter (where e.channel = 'cash'),
          0)::float8 as events
        from counter_shift s left join assessment a on a.shift = s.name left
          join payment_event e on e.assessment = a.name where s.name = ${shift} group by s.name`);
      expect(stored!.events).toBe(stored!.cash);
      const again = await post(round, `/v1/counter-shifts/${shift}:close`, { cash_counted: 0 }, clerk);
      expect(again.status).toBe(422);
    }
    await expectInvariants(rail);
  });

  it('keep the count right, while collections, reversals and refreshes race', { tags: 'long' }, async () => {
    const [clerk, supervisor] = [await makeStaff(rail, 'clerk'), await makeStaff(rail, 'supervisor')];
    const shift = await openShift(clerk, { opening_float: 500 });
    const paid = [];
    for (let i = 0; i < 8; i++) paid.push(await collectInShift(rail, clerk, shift));
    const next = [];
    for (let i = 0; i < 8; i++) next.push(await sendInShift(rail, clerk, shift));
    await Promise.all([
      ...paid.map(({ assessment }, i) => post(i, `/v1/assessments/${assessment}:cancel`, {}, supervisor)),
      ...next.map(({ intent }, i) => post(i, `/v1/payment-intents/${intent}:confirm`, {}, clerk)),
      ...Array.from({ length: 8 }, (_, i) => post(i, `/v1/counter-shifts/${shift}:refresh`, {}, clerk)),
    ]);
    const amount = next.reduce((total, one) => total + one.amount, 0);
    const { data } = await clerk.ask(`/v1/counter-shifts/${shift}`);
    expect(data).toMatchObject({ cash_collected: amount, collection_count: 8, expected_cash: 500 + amount });
    expect((await clerk.post(`/v1/counter-shifts/${shift}:refresh`)).data).toMatchObject({
      cash_collected: amount,
      collection_count: 8,
    });
    await expectInvariants(rail);
  });
});
