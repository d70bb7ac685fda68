import { describe, expect, it } from 'vitest';
import { sizeOf } from '../harness/chaos/size.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { TWO_LINES_TOTAL, makeActor, createPending } from '../harness/flow.ts';
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
  hold,
  simulatorOf,
  statusOf,
} from '../harness/outside.ts';
import type { Plan } from '../../src/sandbox/simulators/books.ts';

const held = startOutsideRail({ JOBS: 'on' }, { timeout_ms: 1_500 });
const { rail } = held;

/** Lets the rail's clock run until an intent stands so. */
async function becomes(actor: Parameters<typeof statusOf>[0], intent: string, status: string): Promise<void> {
  await expect
    .poll(
      () => {
        rail.advance(3 / 3_600);
        return statusOf(actor, intent);
      },
      { interval: 100 },
    )
    .toBe(status);
}

const timeline = async (actor: Parameters<typeof statusOf>[0], intent: string) =>
  (await actor.ask(`/v1/payment-intents/${intent}/trace`)).data.timeline as {
    kind: string;
    actor: string;
    detail: { request?: unknown };
  }[];

/** All providers in the long run; here the one that asks for most, and the one that a payer pays at. */
const TRIED = sizeOf<readonly LiveChannel[]>({ fast: ['airtel_money', 'card'], long: CHANNELS });

describe.each(TRIED)('%s', (channel) => {
  it('collects what it is asked to, with the splits, and is confirmed by its callback', async () => {
    const actor = await makeActor(rail);
    planNext(held.outside, channel);
    const { intent, assessment, answer } = await collect(rail, actor, channel);
    expect(answer.status).toBe(200);
    expect(answer.data.intent).toMatchObject({ status: 'Sent', aggregator: channel });
    await becomes(actor, intent, 'Confirmed');
    const entry = booksOf(held.outside, channel).byIntent(intent)!;
    expect(entry).toMatchObject({ amount: TWO_LINES_TOTAL, currency: 'UGX', charges: [TWO_LINES_TOTAL] });
    const accounts = await rail.rows<{ account: string }>(
      sql`select collection_account as account from mda where name in ('URA', 'URSB') order by name`,
    );
    expect(entry.shares).toEqual([
      { account: accounts[0]!.account, amount: 450_000, ...(channel === 'airtel_money' && { reference: 'URA' }) },
      { account: accounts[1]!.account, amount: 135_000, ...(channel === 'airtel_money' && { reference: 'URSB' }) },
    ]);
    const { data } = await actor.ask(`/v1/payment-intents/${intent}`);
    expect(data.aggregator_reference).toBe(entry.reference);
    expect((await actor.ask(`/v1/payment-events?intent=${intent}`)).data[0].txn_id).toBe(entry.txnId);
    expect((await actor.ask(`/v1/assessments/${assessment}`)).data.status).toBe('Paid');
    expect((await actor.ask(`/v1/payment-intents/${intent}/live-status`)).data).toMatchObject({
      match: true,
      live: { status: 'SUCCESSFUL', stub: false },
    });
  });

  const healed: readonly (readonly [string, Partial<Plan>, string])[] = [
    ['a lost callback', { callback: 'lost' }, 'Confirmed'],
    ['a callback that comes three times', { callback: 'twice' }, 'Confirmed'],
    ['a late callback', { callback: 'late' }, 'Confirmed'],
    ['callbacks in the wrong order', { callback: 'reordered' }, 'Confirmed'],
    ['a tampered callback', { callback: 'tampered' }, 'Confirmed'],
    ['a payer who takes time', { settleMs: 1_200, callback: 'lost' }, 'Confirmed'],
    ['a payer who declines', { outcome: 'declined' }, 'Failed'],
    ['a payer who declines, and whose callback is lost', { outcome: 'declined', callback: 'lost' }, 'Failed'],
    [
      'a payer who declines, and a callback that says otherwise',
      { outcome: 'declined', callback: 'tampered' },
      'Failed',
    ],
    ['a slow answer', { answer: 'slow' }, 'Confirmed'],
  ];
  it.each(healed)('comes to the right end after %s', async (_what, plan, end) => {
    const actor = await makeActor(rail);
    planNext(held.outside, channel, plan);
    const { intent, answer } = await collect(rail, actor, channel);
    expect(answer.status).toBe(200);
    await becomes(actor, intent, end);
    await expectBooksAgree(held, [channel]);
  });

  const unanswered: readonly (readonly [string, Partial<Plan>])[] = [
    ['cut off', { answer: 'cut' }],
    ['an error', { answer: 'error' }],
    ['cut off, and whose callback is lost', { answer: 'cut', callback: 'lost' }],
  ];
  it.each(unanswered)('finds the collection again whose answer was %s', async (_what, plan) => {
    const actor = await makeActor(rail);
    // A page is made again without harm, and nobody can have paid at one that was never shown.
    planNext(held.outside, channel, { settleMs: 300, ...plan });
    const { intent, answer } = await collect(rail, actor, channel);
    // Airtel is asked at once what became of it.
    if (channel === 'airtel_money' && plan.answer === 'error') expect(answer.status).toBe(200);
    else expect([answer.status, answer.code]).toEqual([502, 'adapter_failed']);
    await becomes(actor, intent, 'Confirmed');
    await expectBooksAgree(held, [channel]);
  });

  it('reaches the same collection when it is asked again after its answer was lost', async () => {
    const actor = await makeActor(rail);
    planNext(held.outside, channel, { answer: 'cut', settleMs: 700 });
    const { intent } = await collect(rail, actor, channel);
    expect((await initiate(actor, intent)).status).toBe(200);
    await becomes(actor, intent, 'Confirmed');
    expect(
      [...booksOf(held.outside, channel).entries.values()].filter((entry) => entry.intent === intent),
    ).toHaveLength(1);
    await expectBooksAgree(held, [channel]);
  });

  it('does not confirm another amount than was asked for', async () => {
    const actor = await makeActor(rail);
    planNext(held.outside, channel, { amount: 'wrong' });
    const { intent } = await collect(rail, actor, channel);
    if (channel === 'airtel_money') return becomes(actor, intent, 'Confirmed'); // Its enquiry names no amount: only its statement shows.
    await expect
      .poll(() => rail.count(sql`select 1 from anomaly where kind = 'amount_mismatch' and subject = ${intent}`))
      .toBe(1);
    expect(await statusOf(actor, intent)).toBe('Sent');
    await expectBooksAgree(held, [channel]);
  });

  it('changes nothing while it is down, and works when it is back', async () => {
    const actor = await makeActor(rail);
    const simulator = simulatorOf(held.outside, channel);
    planNext(held.outside, channel);
    for (const down of ['refusing', 'cutting'] as const) {
      simulator.trouble.down = down;
      const { intent, answer } = await collect(rail, actor, channel);
      expect([answer.status, answer.code]).toEqual([502, 'adapter_failed']);
      expect(await statusOf(actor, intent)).toBe('Pending');
      expect(simulator.books.byIntent(intent)).toBeUndefined();
      simulator.trouble.down = 'no';
      expect((await initiate(actor, intent)).status).toBe(200);
      await becomes(actor, intent, 'Confirmed');
    }
    await expectBooksAgree(held, [channel]);
  });

  it('504 when it takes too long, and finds the collection that was taken after all', async () => {
    const actor = await makeActor(rail);
    const simulator = simulatorOf(held.outside, channel);
    planNext(held.outside, channel);
    const { letGo } = hold(simulator.trouble);
    const { intent, answer } = await collect(rail, actor, channel);
    expect([answer.status, answer.code]).toEqual([504, 'adapter_timeout']);
    letGo();
    expect(await statusOf(actor, intent)).toBe('Pending');
    await becomes(actor, intent, 'Confirmed');
  });

  it('keeps what was said in the trace, without credentials and without the number of the payer', async () => {
    const actor = await makeActor(rail);
    planNext(held.outside, channel, { callback: 'lost' });
    const { intent } = await collect(rail, actor, channel);
    await becomes(actor, intent, 'Confirmed');
    const rows = await timeline(actor, intent);
    const initiated = rows.find(({ kind }) => kind === 'adapter.initiate')!;
    expect(JSON.stringify(initiated.detail.request)).toContain('450000');
    expect(rows.find(({ kind }) => kind === 'adapter.verify')).toMatchObject({
      actor: 'job:enquire',
      detail: { source: 'asked' },
    });
    const text = JSON.stringify(rows);
    for (const secret of [
      '772123456',
      'sim-token',
      'sim-api-key',
      'sim-subscription-key',
      'sim-client-secret',
      'FLWSECK',
    ])
      expect(text).not.toContain(secret);
  });
});

describe('what comes of it all', () => {
  it('agrees with the books, and holds every invariant', async () => {
    await expectBooksAgree(held);
    await expectInvariants(rail);
    const log = rail.logged.join('\n');
    for (const secret of [
      'sim-token',
      'sim-api-key',
      'sim-subscription-key',
      'sim-client-secret',
      'FLWSECK',
      '772123456',
    ])
      expect(log).not.toContain(secret);
  });

  it('422 without the number of a payer whose phone is to be rung', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createPending(rail, actor);
    expect(await actor.post(`/v1/payment-intents/${intent}:initiate`)).toMatchObject({
      status: 422,
      json: { error: { details: [{ path: 'payer_msisdn' }] } },
    });
    expect(await statusOf(actor, intent)).toBe('Pending');
  });

  it('422 where the provider does not know the payer, and another number can be tried', async () => {
    const actor = await makeActor(rail);
    planNext(held.outside, 'mtn_momo');
    const { intent } = await createPending(rail, actor);
    const refused = await actor.post(`/v1/payment-intents/${intent}:initiate`, { payer_msisdn: '+256772123404' });
    expect([refused.status, refused.json.error.message]).toEqual([
      422,
      'mtn_momo refused the collection: PAYER_NOT_FOUND',
    ]);
    expect((await initiate(actor, intent)).status).toBe(200);
    await becomes(actor, intent, 'Confirmed');
  });
});
