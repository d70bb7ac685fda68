import { beforeAll, expect, it } from 'vitest';
import { payDueRefunds } from '../../src/collection/payments/refunds/paying/provider.ts';
import { actAsSystem } from '../../src/platform/access/viewer.ts';
import { callOf } from '../../src/platform/call/call.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { expectInvariants } from '../harness/chaos/invariants.ts';
import { sizeOf } from '../harness/chaos/size.ts';
import { seedRandom } from '../harness/chaos/tampering.ts';
import { catchUp, verifyAfter } from '../harness/ledger.ts';
import { type Actor, createConfirmed, makeActor } from '../harness/flow.ts';
import { type StaffActor, makeStaff } from '../harness/people/staff.ts';
import { testRail } from '../harness/rail.ts';
import { drawSeed } from '../harness/run/seed.ts';

const rail = testRail();

/** Verbs in all, so many of them at once, on so many payments. */
const VERBS = sizeOf({ fast: 120, long: 1_000 });
const AT_ONCE = 6;
const PAYMENTS = sizeOf({ fast: 6, long: 20 });

let actor: Actor;
let finance: StaffActor;
const paid: { readonly intent: string; readonly assessment: string }[] = [];

beforeAll(async () => {
  actor = await makeActor(rail);
  finance = await makeStaff(rail, 'finance_officer');
  for (let made = 0; made < PAYMENTS; made++) paid.push(await createConfirmed(rail, actor));
});

it('gives back no more than was paid, with requests, payments and cancellations at once', async () => {
  const random = seedRandom(drawSeed('refunds'));
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const refunds: string[] = [];
  const today = rail.rail.now().toISOString().slice(0, 10);
  const ask = async (what: object) => {
    const body = {
      intent: pick(paid).intent,
      reason_code: 'overpaid',
      method: pick(['provider', 'transfer']),
      ...what,
    };
    const { status, data } = await finance.post('/v1/refunds', body);
    if (status === 200) refunds.push(data.name);
    return status;
  };
  const verbs: readonly (() => Promise<number>)[] = [
    () => ask({ amount: 1 + Math.floor(random() * 200_000) }),
    () => ask({ lines: [{ idx: pick([1, 2]) }] }),
    () => ask({}),
    async () => (await finance.post(`/v1/refunds/${pick(refunds)}:prove`, { reference: 'FT1', paid_on: today })).status,
    async () => (await finance.post(`/v1/refunds/${pick(refunds)}:withdraw`)).status,
    async () => {
      await rail.rows(sql`update refund set enquire_at = ${rail.rail.now()} where enquire_at is not null`);
      await payDueRefunds(callOf(rail.rail, actAsSystem('job:refund'), 'test'));
      return 200;
    },
    // Few, since nothing is left to refund after one.
    async () =>
      random() < 0.1 ? (await actor.post(`/v1/assessments/${pick(paid).assessment}:cancel`, {})).status : 422,
  ];
  const counts = new Map<number, number>();
  for (let done = 0; done < VERBS; done += AT_ONCE)
    for (const status of await Promise.all(Array.from({ length: AT_ONCE }, () => pick(verbs)())))
      counts.set(status, (counts.get(status) ?? 0) + 1);
  expect([...counts.keys()].filter((status) => ![200, 403, 404, 422].includes(status))).toEqual([]);
  expect(counts.get(200)).toBeGreaterThan(VERBS / 10);
  await expectInvariants(rail);
  await catchUp(rail);
  const nothing = { name: 'nothing', run: async () => 'nothing' };
  expect((await verifyAfter(rail, nothing, random)).verification.findings).toEqual([]);
});
