import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { AdapterFailure } from '../../../src/adapters/failure.ts';
import type { Aggregator } from '../../../src/adapters/payment/aggregators.ts';
import type { CollectionOrder, ProviderStatus } from '../../../src/adapters/payment/port.ts';
import { enquireDue } from '../../../src/collection/payments/enquiries/enquire.ts';
import { expireNow, expireOverdue } from '../../../src/collection/payments/enquiries/expire.ts';
import { reconcileStatement } from '../../../src/collection/reconciliation/run.ts';
import type { IntentStatus } from '../../../src/generated/prisma/enums.ts';
import { Decimal } from '../../../src/kernel/money.ts';
import { verifyLedger } from '../../../src/oversight/seals/verify.ts';
import { actAsSystem } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { sizeOf } from '../../harness/chaos/size.ts';
import { type Actor, TWO_LINES_TOTAL, makeActor, someCitizen, twoLines } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const call = () => callOf(rail.rail, actAsSystem('job:test'), randomUUID());

type Answer = 'right' | 'other' | 'FAILED' | 'PENDING' | 'NOT_FOUND' | 'none';

const SILENT = { txnId: null, amount: null, currency: null, settledAt: null, reason: null, response: {} };

function statusOf(intent: string, answer: Answer): ProviderStatus {
  if (answer === 'none') throw new AdapterFailure('mtn_momo', 'timeout', 'mtn_momo did not answer in time');
  if (answer !== 'right' && answer !== 'other') return { ...SILENT, status: answer };
  const amount = new Decimal(answer === 'right' ? TWO_LINES_TOTAL : TWO_LINES_TOTAL - 1);
  return { ...SILENT, status: 'SUCCESSFUL', txnId: `T-${intent}`, amount, currency: 'UGX' };
}

/** An aggregator that is no stand-in: it is asked, and answers as it is told to. */
class Provider {
  readonly answers = new Map<string, Answer>();
  /** The number of enquiries for each intent. */
  readonly asked = new Map<string, number>();
  /** True while the answers to initiations are lost. */
  loses = false;
  readonly #known = rail.rail.aggregators as Map<string, Aggregator>;
  readonly #before = this.#known.get('mtn_momo')!;

  constructor() {
    const { adapter } = this.#before;
    const replaced = {
      ...adapter,
      stub: false,
      initiate: async (order: CollectionOrder) => {
        if (this.loses) return statusOf(order.intent, 'none') as never;
        return adapter.initiate(order);
      },
      verify: async ({ intent }: { intent: string }) => {
        this.asked.set(intent, (this.asked.get(intent) ?? 0) + 1);
        return statusOf(intent, this.answers.get(intent) ?? 'PENDING');
      },
    };
    this.#known.set('mtn_momo', { ...this.#before, adapter: replaced });
  }

  /** Asks about all that is due. */
  async enquire(): Promise<void> {
    while ((await enquireDue(call(), this.#known.get('mtn_momo')!)) > 0);
  }

  close(): void {
    this.#known.set('mtn_momo', this.#before);
  }
}

let provider: Provider | null = null;

afterEach(() => {
  provider?.close();
  provider = null;
});

/** An intent that stands so, and that nobody knows anything new of. */
async function makeIntent(actor: Actor, at: Provider, status: IntentStatus): Promise<string> {
  const lines = await twoLines(rail);
  const owed = await actor.post('/v1/assessments', { citizen: await someCitizen(rail), lines, assess: true });
  at.loses = status === 'Pending';
  await actor.post('/v1/payment-intents', {
    assessment: owed.data.name,
    channel: 'mtn_momo',
    initiate: true,
    payer_msisdn: '+256700123456',
  });
  const [made] = await rail.rows<{ name: string }>(sql`
    select name from payment_intent where assessment = ${owed.data.name}`);
  const intent = made!.name;
  if (status === 'Expired') await expireNow(call(), intent);
  if (status === 'Failed' || status === 'Confirmed') {
    at.answers.set(intent, status === 'Failed' ? 'FAILED' : 'right');
    await actor.post(`/v1/payment-intents/${intent}:confirm`);
  }
  const { data } = await actor.ask(`/v1/payment-intents/${intent}`);
  expect(data).toMatchObject({ status });
  return intent;
}

const eventOf = (intent: string, more: object = {}) => ({
  event_id: `event-${intent}`,
  intent,
  status: 'SUCCESSFUL',
  amount: TWO_LINES_TOTAL,
  currency: 'UGX',
  txn_id: `T-${intent}`,
  ...more,
});

/** By what the rail hears of an intent: `callback` and `statement` say that it was paid. */
const SOURCES = {
  callback: async (intents) => {
    for (const intent of intents) {
      const { status } = await rail.ask('/v1/webhooks/mtn_momo', { body: eventOf(intent) });
      expect(status, intent).toBe(provider!.answers.get(intent) === 'none' ? 504 : 200);
    }
  },
  enquiry: async (intents) => {
    await rail.rows(sql`
      update payment_intent set enquire_at = ${rail.rail.now()} where name = any(${intents}) and enquire_at is not null`);
    await provider!.enquire();
  },
  statement: async (intents) => {
    const day = rail.rail.now();
    const rows = intents.map((intent) => `${intent},${TWO_LINES_TOTAL},UGX,successful,FT-${intent},`);
    const body = Buffer.from(['External Transaction Id,Amount,Currency,Status,Id,Date', ...rows].join('\n'));
    await reconcileStatement(call(), { provider: 'mtn_momo', body, fromDate: day, toDate: day });
  },
} satisfies Record<string, (intents: string[]) => Promise<void>>;

type Source = keyof typeof SOURCES;

const STATES = ['Pending', 'Sent', 'Failed', 'Expired', 'Confirmed'] as const satisfies IntentStatus[];
const ANSWERS = ['right', 'other', 'FAILED', 'PENDING', 'NOT_FOUND', 'none'] as const satisfies Answer[];
const ALL = Object.keys(SOURCES) as Source[];
/** By what the rail hears first, and then. */
const HEARD = sizeOf<readonly (readonly [Source, Source | null])[]>({
  fast: [
    ['callback', 'enquiry'],
    ['enquiry', 'callback'],
    ['statement', 'enquiry'],
    ['enquiry', 'statement'],
    ['enquiry', null],
  ],
  long: ALL.flatMap((first) => [null, ...ALL].map((then) => [first, then] as const)),
});

interface Case {
  readonly state: IntentStatus;
  readonly answer: Answer;
  readonly heard: readonly [Source, Source | null];
  /** True if the aggregator knows, a moment later, that it was paid. */
  readonly paid: boolean;
}

const CASES: readonly Case[] = STATES.flatMap((state) =>
  ANSWERS.flatMap((answer) =>
    HEARD.flatMap((heard) =>
      (answer === 'right' ? [true] : answer === 'other' ? [false] : [true, false]).map((paid) => ({
        state,
        answer,
        heard,
        paid,
      })),
    ),
  ),
);

/** True if a callback or a statement says that it was paid. */
const isClaimed = ({ heard }: Case) => heard.some((source) => source === 'callback' || source === 'statement');

/** The final status of an intent: a failure is believed for good only if nobody contradicts it. */
function endOf(one: Case): IntentStatus {
  const { state, answer, paid } = one;
  if (state === 'Confirmed') return 'Confirmed';
  const isOver = state === 'Failed' || answer === 'FAILED';
  if (paid && (isClaimed(one) || !isOver)) return 'Confirmed';
  return state !== 'Expired' && isOver ? 'Failed' : 'Expired';
}

describe('each answer of an aggregator, in each state of an intent, however the rail hears of it', () => {
  it('is followed to its end: what was paid is booked, and nothing is asked about for ever', async () => {
    provider = new Provider();
    const actor = await makeActor(rail);
    const tried = new Map<string, Case>();
    const make = async (one: Case) => void tried.set(await makeIntent(actor, provider!, one.state), one);
    for (const state of STATES) {
      const ofState = CASES.filter((one) => one.state === state);
      for (let start = 0; start < ofState.length; start += 8)
        await Promise.all(ofState.slice(start, start + 8).map(make));
    }
    const all = [...tried.keys()];
    for (const [intent, { answer, state }] of tried) if (state !== 'Confirmed') provider.answers.set(intent, answer);
    for (const turn of [0, 1] as const)
      for (const [source, hear] of Object.entries(SOURCES)) {
        const heard = all.filter((intent) => tried.get(intent)!.heard[turn] === source);
        await hear(heard);
      }
    for (const [intent, { paid }] of tried) if (paid) provider.answers.set(intent, 'right');
    // The next enquiry of each; then their last ones, after all of them expired.
    for (const hours of [0.1, 1, 23, 2, 23, 2, 25]) {
      rail.advance(hours);
      await provider.enquire();
      await expireOverdue(call());
    }
    const ended = await rail.rows<{
      name: string;
      status: IntentStatus;
      asked: boolean;
      money: number;
      kind: string;
    }>(sql`
      select i.name, i.status, i.enquire_at is not null as asked, split_part(r.payload, '~', 4) as kind,
        (select count(*)::int from money_received m where m.intent = i.name) as money
      from payment_intent i left join receipt r on r.intent = i.name`);
    const wrong = ended.flatMap(({ name, status, asked, money, kind }) => {
      const one = tried.get(name)!;
      // Nobody asks about one that failed until somebody says that it was paid.
      const isHeard = isClaimed(one) || one.state !== 'Failed';
      const is = { status, asked, money, kind };
      const expected = {
        status: endOf(one),
        asked: false,
        money: one.answer === 'other' && one.state !== 'Confirmed' && isHeard ? 1 : 0,
        kind: endOf(one) === 'Confirmed' ? 'p' : null,
      };
      return JSON.stringify(is) === JSON.stringify(expected) ? [] : [{ ...one, is, expected }];
    });
    expect(wrong).toEqual([]);
    expect(ended).toHaveLength(CASES.length);

    // Nothing is lost or in two books, and each decision that is kept holds.
    const none = async (query: Parameters<typeof rail.rows>[0]) => expect(await rail.rows(query)).toEqual([]);
    await none(sql`
      select i.name from payment_intent i join assessment a on a.name = i.assessment
      where (i.status = 'Confirmed') <> (a.status = 'Paid')`);
    await none(sql`
      select i.name from payment_intent i left join payment_event e on e.intent = i.name group by i.name
      having coalesce(sum(e.amount), 0) <> case when i.status = 'Confirmed' then i.amount else 0 end`);
    await none(sql`
      select i.name, c.decision from inbound_callback c join payment_intent i on i.name = c.intent
      where c.decision = 'pending' or (i.status <> 'Confirmed' and c.decision <> 'amount_mismatch')`);
    await none(sql`
      select i.name from payment_intent i join money_received m on m.intent = i.name
        left join anomaly n on n.kind = 'amount_mismatch' and n.subject = i.name where n.name is null`);
    expect((await verifyLedger(rail.rail)).findings).toEqual([]);
    // Their own bounds: by doubling intervals, some 150 a day each; here the clock is moved in steps.
    for (const [intent, count] of provider.asked) expect(count, intent).toBeLessThan(20);
    const before = new Map(provider.asked);
    rail.advance(24 * 365);
    await provider.enquire();
    expect(provider.asked).toEqual(before);
    rail.advance(-24 * 365 - 76.1);
  });
});

describe('a callback that says paid, and is not borne out', () => {
  const send = async (body: object) => (await rail.ask('/v1/webhooks/mtn_momo', { body })).data;

  it('is asked about when it comes again, of an intent that failed', async () => {
    provider = new Provider();
    const intent = await makeIntent(await makeActor(rail), provider, 'Failed');
    provider.answers.set(intent, 'PENDING');
    expect(await send(eventOf(intent))).toEqual({ decision: 'pending', intent });
    provider.answers.set(intent, 'FAILED');
    expect(await send(eventOf(intent))).toEqual({ decision: 'already_final', intent });
    provider.answers.set(intent, 'right');
    expect(await send(eventOf(intent))).toEqual({ decision: 'late_collection', intent });
    provider.answers.set(intent, 'FAILED');
    expect(await send(eventOf(intent))).toEqual({ decision: 'late_collection', intent });
  });

  it('is asked about after 5 s, and then at doubling intervals, for a day', async () => {
    provider = new Provider();
    const intent = await makeIntent(await makeActor(rail), provider, 'Failed');
    provider.answers.set(intent, 'PENDING');
    await send(eventOf(intent));
    const asked = () => provider!.asked.get(intent)!;
    const first = asked();
    const times: number[] = [];
    for (let seconds = 0; seconds < 100; seconds += 5) {
      const before = asked();
      rail.advance(5 / 3_600);
      await provider.enquire();
      if (asked() > before) times.push(seconds + 5);
    }
    expect(times.slice(0, 4)).toEqual([5, 15, 35, 75]);
    expect(asked() - first).toBe(times.length);
    const [row] = await rail.rows<{ hours: number }>(sql`
      select extract(epoch from enquire_until - ${rail.rail.now()}::timestamptz)::float8 / 3600 as hours
      from payment_intent where name = ${intent}`);
    expect(row!.hours).toBeGreaterThan(23);
    rail.advance(25);
    await provider.enquire();
    const [after] = await rail.rows(sql`select enquire_at from payment_intent where name = ${intent}`);
    expect(after).toEqual({ enquire_at: null });
    rail.advance(-25 - 100 / 3_600);
  });

  it('is not forgotten by the failure that an enquiry brings meanwhile', async () => {
    provider = new Provider();
    const intent = await makeIntent(await makeActor(rail), provider, 'Sent');
    provider.answers.set(intent, 'PENDING');
    await send(eventOf(intent));
    provider.answers.set(intent, 'FAILED');
    await SOURCES.enquiry([intent]);
    const statusNow = async () =>
      (await rail.rows<{ status: string }>(sql`select status from payment_intent where name = ${intent}`))[0]!.status;
    expect(await statusNow()).toBe('Failed');
    provider.answers.set(intent, 'right');
    await SOURCES.enquiry([intent]);
    expect(await statusNow()).toBe('Confirmed');
  });
});
