import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payDueRefunds } from '../../src/collection/payments/refunds/paying/provider.ts';
import { actAsSystem } from '../../src/platform/access/viewer.ts';
import { callOf } from '../../src/platform/call/call.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { expectInvariants } from '../harness/chaos/invariants.ts';
import { sizeOf } from '../harness/chaos/size.ts';
import { seedRandom } from '../harness/chaos/tampering.ts';
import { catchUp, verifyAfter } from '../harness/ledger.ts';
import { type Actor, createConfirmed, makeActor } from '../harness/flow.ts';
import { CHANNELS, booksOf, collect, compareBooks, planNext, startOutsideRail, statusOf } from '../harness/outside.ts';
import { type StaffActor, makeStaff } from '../harness/people/staff.ts';
import { type Served, serve } from '../harness/processes.ts';
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

/** Kills of the process that sends a refund. */
const KILLS = 100;

describe('a process that is killed around sending a refund', () => {
  const held = startOutsideRail();
  const outsideRail = held.rail;
  const running: Served[] = [];
  afterAll(async () => void (await Promise.all(running.map((one) => one.stop()))));

  it(
    `has each of ${KILLS} refunds made once, by the one that follows it`,
    { tags: 'long', timeout: 1_800_000 },
    async () => {
      const random = seedRandom(drawSeed('kills around refunds'));
      const payer = await makeActor(outsideRail);
      const officer = await makeStaff(outsideRail, 'finance_officer');
      const start = async () => {
        const { rail: of, outside } = held;
        const env = { DATABASE_URL: of.url, DATA_DIR: of.dataDir, PORT: '0', LOG_LEVEL: 'fatal', OVERSIGHT: 'off' };
        running.push(await serve('src/app/main.ts', { ...env, ...outside.environment }));
      };
      // The time of a process that is gone runs out, and no other takes what is its own.
      const comeDue = () =>
        outsideRail.rows(sql`update refund set enquire_at = now() where enquire_at is not null and enquire_at > now()`);
      for (let kill = 0; kill < KILLS; kill++) {
        const channel = CHANNELS[kill % CHANNELS.length]!;
        const books = booksOf(held.outside, channel);
        planNext(held.outside, channel);
        const { intent } = await collect(outsideRail, payer, channel);
        await expect.poll(() => books.byIntent(intent)?.state).toBe('paid');
        await payer.post(`/v1/payment-intents/${intent}:confirm`);
        expect(await statusOf(payer, intent)).toBe('Confirmed');
        await start();
        await comeDue();
        // The provider has made it and not answered, or is just answering, or the process is anywhere before.
        const moment = kill % 4;
        books.refundPlan = { outcome: 'paid', answer: moment === 0 ? 'slow' : 'given' };
        const { data } = await officer.post('/v1/refunds', { intent, reason_code: 'duplicate' });
        expect(data).toMatchObject({ status: 'Approved', method: 'provider' });
        const isMade = () => [...books.refunds.values()].some(({ of }) => of.intent === intent);
        const isAsked = () =>
          outsideRail.count(sql`select 1 from refund where name = ${data.name} and asked_at is not null`);
        if (moment < 2) await expect.poll(isMade, { interval: 1 }).toBe(true);
        else if (moment === 2) await expect.poll(isAsked, { interval: 1 }).toBe(1);
        else await sleep(random() * 1_200);
        await running.pop()!.kill();
      }
      await start();
      const differences = async () => {
        await comeDue();
        const open = await outsideRail.rows<{ name: string }>(sql`
        select r.name from refund r join payment_intent i on i.name = r.intent
        where r.status not in ('Done', 'Sent') or r.status = 'Sent' and i.channel <> 'airtel_money'`);
        return [...(await compareBooks(outsideRail, held.outside)), ...open.map(({ name }) => `${name} is not paid`)];
      };
      await expect.poll(differences, { interval: 500, timeout: 300_000 }).toEqual([]);
      for (const channel of CHANNELS) {
        const made = [...booksOf(held.outside, channel).refunds.values()].map(({ of }) => of.intent);
        expect(made.length, channel).toBe(new Set(made).size);
      }
      expect(await outsideRail.count(sql`select 1 from refund`)).toBe(KILLS);
      await expectInvariants(outsideRail);
    },
  );
});
