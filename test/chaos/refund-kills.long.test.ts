import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { expectInvariants } from '../harness/chaos/invariants.ts';
import { seedRandom } from '../harness/chaos/tampering.ts';
import { makeActor } from '../harness/flow.ts';
import { CHANNELS, booksOf, collect, compareBooks, planNext, startOutsideRail, statusOf } from '../harness/outside.ts';
import { makeStaff } from '../harness/people/staff.ts';
import { type Served, serve } from '../harness/processes.ts';
import { drawSeed } from '../harness/run/seed.ts';

/** Kills of the process that sends a refund. */
const KILLS = 100;

describe('a process that is killed around sending a refund', () => {
  const held = startOutsideRail();
  const outsideRail = held.rail;
  const running: Served[] = [];
  afterAll(async () => void (await Promise.all(running.map((one) => one.stop()))));

  it(`has each of ${KILLS} refunds made once, by the one that follows it`, { timeout: 1_800_000 }, async () => {
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
      // A round that failed has its refunds to itself for two minutes.
      const wait = { interval: 1, timeout: 240_000 };
      if (moment < 2) await expect.poll(isMade, wait).toBe(true);
      else if (moment === 2) await expect.poll(isAsked, wait).toBe(1);
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
  });
});
