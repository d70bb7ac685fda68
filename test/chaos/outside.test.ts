import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { drawSeed } from '../harness/run/seed.ts';
import { type Actor, createAssessed, makeActor, createPendingFor } from '../harness/flow.ts';
import { expectInvariants } from '../harness/chaos/invariants.ts';
import {
  CHANNELS,
  type LiveChannel,
  booksOf,
  collect,
  expectBooksAgree,
  initiate,
  startOutsideRail,
  planNext,
  simulatorOf,
} from '../harness/outside.ts';
import { type Served, serve } from '../harness/processes.ts';
import { sizeOf } from '../harness/chaos/size.ts';
import type { Plan } from '../../src/sandbox/simulators/books.ts';
import { sql } from '../../src/platform/database/sql.ts';

const plan = fc.record({
  outcome: fc.constantFrom<Plan['outcome']>('paid', 'paid', 'paid', 'declined', 'never'),
  settleMs: fc.integer({ min: 0, max: 600 }),
  callback: fc.constantFrom<Plan['callback']>('once', 'lost', 'twice', 'late', 'reordered', 'tampered'),
  answer: fc.constantFrom<Plan['answer']>('given', 'given', 'cut', 'error', 'slow'),
  amount: fc.constantFrom<Plan['amount']>('right', 'right', 'right', 'wrong'),
});

/** Actions of the integrator after it asked for a collection. */
const meddling = fc.constantFrom(
  'nothing',
  'initiate again',
  'initiate twice at once',
  'confirm',
  'cancel',
  'a second intent',
);

const schedule = fc.array(
  fc.record({
    channel: fc.constantFrom(...CHANNELS),
    plan,
    meddling,
    trouble: fc.constantFrom('none', 'none', 'none', 'down', 'slow'),
    pause: fc.integer({ min: 0, max: 20 }),
  }),
  { minLength: 10, maxLength: 16 },
);

async function meddle(
  actor: Actor,
  what: string,
  { intent, assessment }: { intent: string; assessment: string },
  channel: LiveChannel,
): Promise<void> {
  switch (what) {
    case 'initiate again':
      return void (await initiate(actor, intent));
    case 'initiate twice at once':
      return void (await Promise.all([initiate(actor, intent), initiate(actor, intent)]));
    case 'confirm':
      return void (await actor.post(`/v1/payment-intents/${intent}:confirm`));
    case 'cancel':
      return void (await actor.post(`/v1/assessments/${assessment}:cancel`));
    case 'a second intent': {
      const { status, data } = await actor.post('/v1/payment-intents', { assessment, channel });
      if (status === 200) await initiate(actor, data.name);
    }
  }
}

describe('random schedules of misbehaving providers', () => {
  const held = startOutsideRail({ JOBS: 'on' });
  const { rail } = held;

  /** As long as so many requests take. */
  const pause = async (turns: number) => {
    while (turns-- > 0) await rail.ask('/healthz');
  };

  it('end with books that agree, and no payer charged twice for an intent', async () => {
    const seed = drawSeed('schedules of providers');
    await fc.assert(
      fc.asyncProperty(schedule, async (steps) => {
        const actor = await makeActor(rail);
        const followUps: Promise<void>[] = [];
        for (const { channel, plan: next, meddling: what, trouble, pause: turns } of steps) {
          const simulator = simulatorOf(held.outside, channel);
          planNext(held.outside, channel, next);
          simulator.trouble.down = trouble === 'down' ? 'cutting' : 'no';
          simulator.trouble.held = trouble === 'slow' ? pause(50) : null;
          const asked = await collect(rail, actor, channel);
          simulator.trouble.down = 'no';
          simulator.trouble.held = null;
          followUps.push(pause(turns).then(() => meddle(actor, what, asked, channel)));
          await pause(turns);
        }
        await Promise.all(followUps);
        await expect
          .poll(
            async () => {
              rail.advance(5 / 3_600);
              return expectBooksAgree(held).then(
                () => 'agree',
                (error: unknown) => String(error),
              );
            },
            { interval: 250 },
          )
          .toBe('agree');
      }),
      { numRuns: sizeOf({ fast: 2, long: 20 }), seed, endOnFailure: true },
    );
    await expectInvariants(rail);
  });
});

describe('a process that is killed while it collects', () => {
  const held = startOutsideRail();
  const { rail } = held;
  const running: Served[] = [];
  afterAll(async () => void (await Promise.all(running.map((one) => one.stop()))));

  it('loses no money and takes none twice: what it began, another one finishes', { tags: 'long' }, async () => {
    const env = {
      DATABASE_URL: rail.url,
      DATA_DIR: rail.dataDir,
      PORT: '0',
      LOG_LEVEL: 'fatal',
      ...held.outside.environment,
    };
    const [victim, survivor] = await Promise.all([serve('src/app/main.ts', env), serve('src/app/main.ts', env)]);
    running.push(survivor);
    const actor = await makeActor(rail);
    for (const channel of CHANNELS)
      planNext(held.outside, channel, { answer: 'slow', settleMs: 200, callback: 'lost' });
    const intents = await Promise.all(
      Array.from({ length: 24 }, async (_, i) => {
        const channel = CHANNELS[i % CHANNELS.length]!;
        return createPendingFor(actor, await createAssessed(rail, actor), channel);
      }),
    );
    const at = (origin: string, intent: string) =>
      fetch(`${origin}/v1/payment-intents/${intent}:initiate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${actor.key}`, 'content-type': 'application/json' },
        body: '{"payer_msisdn":"+256772123456"}',
      }).then(
        (response) => response.status,
        () => 'cut',
      );
    const underway = intents.map((intent) => at(victim.origin, intent));
    await expect
      .poll(() => CHANNELS.reduce((count, channel) => count + booksOf(held.outside, channel).entries.size, 0), {
        interval: 5,
      })
      .toBeGreaterThan(6);
    await victim.kill();
    expect(await Promise.all(underway)).toContain('cut');
    // Some are asked for again at once, and some by nobody.
    await Promise.all(intents.filter((_, i) => i % 2 === 0).map((intent) => at(survivor.origin, intent)));
    const paid = () => rail.count(sql`select 1 from payment_intent where status = 'Confirmed'`);
    const taken = () =>
      CHANNELS.flatMap((channel) => [...booksOf(held.outside, channel).entries.values()]).filter(
        ({ state }) => state === 'paid',
      ).length;
    await expect.poll(async () => (await paid()) === taken() && taken() > 12).toBe(true);
    await expectBooksAgree(held);
    await expectInvariants(rail);
  });
});
