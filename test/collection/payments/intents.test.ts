import { describe, expect, it } from 'vitest';
import { actAsSystem } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { IntentStatus } from '../../../src/generated/prisma/enums.ts';
import { expireOverdue } from '../../../src/collection/payments/enquiries/expire.ts';
import {
  type Actor,
  TWO_LINES_TOTAL,
  createAssessed,
  createConfirmed,
  draft,
  createInitiated,
  makeActor,
  createPending,
  createPendingFor,
  createSent,
} from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

const PENDING_PAYER = '+256700123000';

interface Held {
  readonly assessment: string;
  readonly intent: string;
}

async function expire({ intent }: Held): Promise<void> {
  await rail.rows(sql`update payment_intent set expires_at = now() - interval '1 second' where name = ${intent}`);
  await expireOverdue(callOf(rail.rail, actAsSystem('job:expire_intents'), 'test'));
}

async function inState(actor: Actor, status: IntentStatus): Promise<Held> {
  switch (status) {
    case 'Pending':
      return createPending(rail, actor);
    case 'Sent':
      return createSent(rail, actor);
    case 'Confirmed':
      return createConfirmed(rail, actor);
    case 'Failed': {
      const held = await createSent(rail, actor, '+256700123001');
      await actor.post(`/v1/payment-intents/${held.intent}:confirm`);
      return held;
    }
    case 'Expired': {
      const held = await createSent(rail, actor, PENDING_PAYER);
      await expire(held);
      return held;
    }
  }
}

const statusOf = async (actor: Actor, { assessment, intent }: Held) => ({
  assessment: (await actor.ask(`/v1/assessments/${assessment}`)).data.status,
  intent: (await actor.ask(`/v1/payment-intents/${intent}`)).data.status,
});

describe('POST /v1/payment-intents', () => {
  it('200: takes its amount from the assessment, whatever a client sends', async () => {
    const actor = await makeActor(rail);
    const assessment = await createAssessed(rail, actor);
    const { data } = await actor.post('/v1/payment-intents', {
      assessment,
      channel: 'card',
      amount: 1,
      status: 'Confirmed',
    });
    expect(data).toMatchObject({
      assessment,
      channel: 'card',
      status: 'Pending',
      amount: TWO_LINES_TOTAL,
      currency: 'UGX',
      aggregator: 'card',
    });
    expect(data.name).toMatch(/^PI-\d{4}-\d\d-\d{6}$/);
    expect(new Date(data.expires_at).getTime() - new Date(data.created_at).getTime()).toBe(24 * 3_600_000);
    expect((await actor.ask(`/v1/payment-intents/${data.name}`)).data).toEqual(data);
  });

  it('200: takes explicit splits that give each agency what its lines owe', async () => {
    const actor = await makeActor(rail);
    const assessment = await createAssessed(rail, actor);
    const splits = [
      { mda: 'URSB', amount: 135_000 },
      { mda: 'URA', amount: 450_000 },
    ];
    const { data } = await actor.post('/v1/payment-intents', { assessment, channel: 'card', splits });
    expect(data.splits).toEqual(splits.toReversed());
    expect(await rail.count(sql`select 1 from anomaly where subject = ${data.name}`)).toBe(0);
  });

  it('422: an empty body names both required members', async () => {
    const actor = await makeActor(rail);
    const answer = await actor.post('/v1/payment-intents');
    expect(answer.json.error.details).toEqual([
      { path: 'assessment', message: 'is required' },
      { path: 'channel', message: 'is required' },
    ]);
  });

  it('422: an assessment that is missing, Draft, Cancelled or Paid', async () => {
    const actor = await makeActor(rail);
    const cancelled = await draft(rail, actor);
    await actor.post(`/v1/assessments/${cancelled}:cancel`);
    for (const assessment of [
      'ASMT-2020-01-000001',
      'x',
      await draft(rail, actor),
      cancelled,
      (await createConfirmed(rail, actor)).assessment,
    ]) {
      expect(
        (await actor.post('/v1/payment-intents', { assessment, channel: 'card' })).json.error.details[0].path,
      ).toBe('assessment');
    }
  });

  it.each([
    ['an unknown channel', { channel: 'cheque' }, 'channel'],
    ['no splits in the list', { splits: [] }, 'splits'],
    ['splits that add up to less', { splits: [{ mda: 'URA', amount: 1 }] }, 'splits'],
    ['splits that add up to more', { splits: [{ mda: 'URA', amount: TWO_LINES_TOTAL + 1 }] }, 'splits'],
    [
      'an agency twice',
      {
        splits: [
          { mda: 'URA', amount: 1 },
          { mda: 'URA', amount: TWO_LINES_TOTAL - 1 },
        ],
      },
      'splits[1].mda',
    ],
    ['an unknown agency', { splits: [{ mda: 'NOPE', amount: TWO_LINES_TOTAL }] }, 'splits[0].mda'],
    ['an agency that does not collect', { splits: [{ mda: 'UWA', amount: TWO_LINES_TOTAL }] }, 'splits[0].mda'],
    [
      'nothing for an agency',
      {
        splits: [
          { mda: 'URA', amount: 0 },
          { mda: 'URSB', amount: TWO_LINES_TOTAL },
        ],
      },
      'splits[0].amount',
    ],
    [
      'less than nothing',
      {
        splits: [
          { mda: 'URA', amount: -1 },
          { mda: 'URSB', amount: TWO_LINES_TOTAL + 1 },
        ],
      },
      'splits[0].amount',
    ],
    [
      'half a shilling',
      {
        splits: [
          { mda: 'URA', amount: 0.5 },
          { mda: 'URSB', amount: TWO_LINES_TOTAL - 0.5 },
        ],
      },
      'splits[0].amount',
    ],
    ['an amount as text', { splits: [{ mda: 'URA', amount: String(TWO_LINES_TOTAL) }] }, 'splits[0].amount'],
    ['an amount of 16 digits', { splits: [{ mda: 'URA', amount: 1_234_567_890_123_456 }] }, 'splits[0].amount'],
    ['an amount of 1e400', '{"splits":[{"mda":"URA","amount":1e400}]}', 'splits[0].amount'],
    ['an amount of null', { splits: [{ mda: 'URA', amount: null }] }, 'splits[0].amount'],
  ])('422: %s', async (_what, body, path) => {
    const actor = await makeActor(rail);
    const assessment = await createAssessed(rail, actor);
    const given =
      typeof body === 'string'
        ? body.replace('{', `{"assessment":"${assessment}","channel":"card",`)
        : { assessment, channel: 'card', ...body };
    const answer = await actor.post('/v1/payment-intents', given);
    expect(answer.status).toBe(422);
    expect(answer.json.error.details.map((detail: { path: string }) => detail.path)).toContain(path);
    expect(await rail.count(sql`select 1 from payment_intent where assessment = ${assessment}`)).toBe(0);
  });
});

describe('the lifecycle: each state × each action', () => {
  for (const status of Object.values(IntentStatus)) {
    it(`${status} :initiate ${status === 'Pending' ? '→ Sent' : 'is refused'}`, async () => {
      const actor = await makeActor(rail);
      const held = await inState(actor, status);
      const before = (await actor.ask(`/v1/payment-intents/${held.intent}`)).data;
      expect(before.status).toBe(status);
      const answer = await actor.post(`/v1/payment-intents/${held.intent}:initiate`, { payer_msisdn: '256700123456' });
      expect(answer.status).toBe(status === 'Pending' ? 200 : 422);
      const after = (await actor.ask(`/v1/payment-intents/${held.intent}`)).data;
      if (status === 'Pending') expect(after.status).toBe('Sent');
      else expect(after).toEqual(before);
    });

    it(`${status} :confirm ${status === 'Sent' ? '→ Confirmed' : 'is refused'}`, async () => {
      const actor = await makeActor(rail);
      const held = await inState(actor, status);
      const before = (await actor.ask(`/v1/payment-intents/${held.intent}`)).data;
      const answer = await actor.post(`/v1/payment-intents/${held.intent}:confirm`);
      expect(answer.status).toBe(status === 'Sent' ? 200 : 422);
      const after = (await actor.ask(`/v1/payment-intents/${held.intent}`)).data;
      if (status === 'Sent') expect(after.status).toBe('Confirmed');
      else expect(after).toEqual(before);
    });
  }
});

describe('POST /v1/payment-intents/{name}:initiate', () => {
  it('422: a payer that is no phone number', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createPending(rail, actor);
    for (const payer_msisdn of ['abc', '123', '+0700123456', '', '2567001234567890123', 5]) {
      expect(
        (await actor.post(`/v1/payment-intents/${intent}:initiate`, { payer_msisdn })).status,
        String(payer_msisdn),
      ).toBe(422);
    }
  });

  it('422: for an assessment that is no longer to be paid', async () => {
    const actor = await makeActor(rail);
    const { assessment, intent } = await createPending(rail, actor);
    await actor.post(`/v1/assessments/${assessment}:cancel`);
    expect((await actor.post(`/v1/payment-intents/${intent}:initiate`)).status).toBe(422);
  });

  it('422: after it has expired, though no job has run', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createPending(rail, actor);
    await rail.rows(sql`update payment_intent set expires_at = now() - interval '1 second' where name = ${intent}`);
    expect((await actor.post(`/v1/payment-intents/${intent}:initiate`)).status).toBe(422);
  });

  it('504: an aggregator that accepts and does not answer leaves it Pending; initiating again reaches the same collection', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createPending(rail, actor);
    const first = await actor.post(`/v1/payment-intents/${intent}:initiate`, { payer_msisdn: '+256700123002' });
    expect(first).toMatchObject({ status: 504, code: 'adapter_timeout' });
    const between = (await actor.ask(`/v1/payment-intents/${intent}`)).data;
    expect(between).toMatchObject({ status: 'Pending', aggregator_reference: `STUB-MTN_MOMO-${intent}` });
    const second = await actor.post(`/v1/payment-intents/${intent}:initiate`, { payer_msisdn: '+256700123002' });
    expect(second.data.intent).toMatchObject({ status: 'Sent', aggregator_reference: between.aggregator_reference });
    const { timeline } = (await actor.ask(`/v1/payment-intents/${intent}/trace`)).data;
    const tries = timeline.filter(({ kind }: { kind: string }) => kind === 'adapter.initiate');
    expect(tries.map(({ summary }: { summary: string }) => summary)).toEqual([
      'Unknown whether mtn_momo accepted the collection: timeout',
      'mtn_momo accepted the collection',
    ]);
    expect(tries[0].detail).toMatchObject({ outcome: 'unknown', failure: 'timeout' });
    expect((await actor.post(`/v1/payment-intents/${intent}:confirm`)).data.assessment.status).toBe('Paid');
  });

  it('warns in a sandbox of mobile money without a payer, which a live rail refuses', async () => {
    const actor = await makeActor(rail);
    const warningOf = async (channel: string, body: object) => {
      const { intent } = await createPending(rail, actor, channel);
      return (await actor.post(`/v1/payment-intents/${intent}:initiate`, body)).data.warning;
    };
    for (const channel of ['mtn_momo', 'airtel_money']) {
      expect(await warningOf(channel, {})).toBe(
        `payer_msisdn is missing: in live mode, ${channel} requires the payer's phone number`,
      );
      expect(await warningOf(channel, { payer_msisdn: '+256700123456' })).toBeNull();
    }
    for (const channel of ['card', 'cash']) expect(await warningOf(channel, {})).toBeNull();
  });

  it('200 once: of 20 at once one calls the aggregator', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createPending(rail, actor);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => actor.post(`/v1/payment-intents/${intent}:initiate`)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(19).fill(422)]);
    expect(await rail.count(sql`select 1 from trace_row where intent = ${intent} and kind = 'adapter.initiate'`)).toBe(
      1,
    );
  });

  it('takes over at once from a process that died during the call', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createPending(rail, actor);
    await rail.rows(
      sql`update payment_intent set claimed_by = 1, claimed_at = now(), aggregator_reference = 'STUB-EARLIER' where name = ${intent}`,
    );
    const answer = await actor.post(`/v1/payment-intents/${intent}:initiate`);
    expect(answer.status).toBe(200);
  });
});

describe('POST /v1/payment-intents/{name}:confirm', () => {
  it('422: pending at the aggregator; nothing changes, and the trace shows that it was asked', async () => {
    const actor = await makeActor(rail);
    const held = await createSent(rail, actor, '+256700123000');
    expect((await actor.post(`/v1/payment-intents/${held.intent}:confirm`)).status).toBe(422);
    expect(await statusOf(actor, held)).toEqual({ assessment: 'Assessed', intent: 'Sent' });
    expect(
      await rail.count(sql`select 1 from trace_row where intent = ${held.intent} and kind = 'adapter.verify'`),
    ).toBe(1);
  });

  it('422: failed at the aggregator; the intent is Failed, and another may follow', async () => {
    const actor = await makeActor(rail);
    const held = await createSent(rail, actor, '+256700123001');
    expect((await actor.post(`/v1/payment-intents/${held.intent}:confirm`)).status).toBe(422);
    expect((await actor.ask(`/v1/payment-intents/${held.intent}`)).data).toMatchObject({
      status: 'Failed',
      failure_reason: 'PAYER_DECLINED',
    });
    expect(
      await rail.count(sql`select 1 from outbox where object = ${held.intent} and type = 'payment_intent.failed'`),
    ).toBe(1);
    const next = await createPendingFor(actor, held.assessment);
    await createInitiated(actor, next);
    expect((await actor.post(`/v1/payment-intents/${next}:confirm`)).data.assessment.status).toBe('Paid');
  });

  it('422: another amount at the aggregator; not confirmed, and flagged once', async () => {
    const actor = await makeActor(rail);
    const held = await createSent(rail, actor, '+256700123003');
    for (let i = 0; i < 2; i++)
      expect((await actor.post(`/v1/payment-intents/${held.intent}:confirm`)).status).toBe(422);
    expect(await statusOf(actor, held)).toEqual({ assessment: 'Assessed', intent: 'Sent' });
    expect(
      await rail.count(sql`select 1 from anomaly where kind = 'amount_mismatch' and subject = ${held.intent}`),
    ).toBe(1);
  });

  it('records a second collection for one assessment, and flags it; it is not paid twice', async () => {
    const actor = await makeActor(rail);
    const { assessment, intent } = await createPending(rail, actor);
    const second = await createPendingFor(actor, assessment);
    await createInitiated(actor, intent);
    await createInitiated(actor, second);
    const first = (await actor.post(`/v1/payment-intents/${intent}:confirm`)).data.assessment;
    const again = await actor.post(`/v1/payment-intents/${second}:confirm`);
    expect(again.data).toMatchObject({
      intent: { status: 'Confirmed' },
      assessment: { status: 'Paid', paid_at: first.paid_at },
    });
    expect(await rail.count(sql`select 1 from payment_event where assessment = ${assessment}`)).toBe(4);
    expect(
      await rail.count(sql`select 1 from anomaly where kind = 'duplicate_collection' and subject = ${second}`),
    ).toBe(1);
    expect(await rail.count(sql`select 1 from outbox where object = ${assessment} and type = 'assessment.paid'`)).toBe(
      1,
    );
  });

  it('records money for a cancelled assessment, and flags it; it stays Cancelled', async () => {
    const actor = await makeActor(rail);
    const held = await createSent(rail, actor);
    await actor.post(`/v1/assessments/${held.assessment}:cancel`);
    expect((await actor.post(`/v1/payment-intents/${held.intent}:confirm`)).data).toMatchObject({
      intent: { status: 'Confirmed' },
      assessment: { status: 'Cancelled' },
    });
    expect(
      await rail.count(sql`select 1 from anomaly where kind = 'late_collection' and subject = ${held.intent}`),
    ).toBe(1);
  });
});

describe('an intent that nobody confirms', () => {
  it('expires after its time, and tells of it', async () => {
    const actor = await makeActor(rail);
    const held = await createSent(rail, actor, PENDING_PAYER);
    await expire(held);
    expect(await statusOf(actor, held)).toEqual({ assessment: 'Assessed', intent: 'Expired' });
    expect(
      await rail.count(sql`select 1 from outbox where object = ${held.intent} and type = 'payment_intent.expired'`),
    ).toBe(1);
  });

  it('expires though its aggregator is no longer connected', async () => {
    const actor = await makeActor(rail);
    const held = await inState(actor, 'Sent');
    await rail.rows(sql`update payment_intent set aggregator = 'gone' where name = ${held.intent}`);
    await expire(held);
    expect((await actor.ask(`/v1/payment-intents/${held.intent}`)).data).toMatchObject({
      status: 'Expired',
      aggregator: 'gone',
    });
  });

  it('does not expire where the aggregator says at the last moment that it was paid', async () => {
    const actor = await makeActor(rail);
    const held = await createSent(rail, actor);
    await expire(held);
    expect(await statusOf(actor, held)).toEqual({ assessment: 'Paid', intent: 'Confirmed' });
  });
});

describe('GET /v1/payment-intents/{name}/live-status', () => {
  it('200: stored beside live, and whether they agree; changes nothing', async () => {
    const actor = await makeActor(rail);
    const held = await createSent(rail, actor);
    const traced = () => rail.count(sql`select 1 from trace_row where intent = ${held.intent}`);
    const before = await traced();
    const { data } = await actor.ask(`/v1/payment-intents/${held.intent}/live-status`);
    expect(data).toMatchObject({
      aggregator: 'mtn_momo',
      aggregator_reference: `STUB-MTN_MOMO-${held.intent}`,
      stored: { status: 'Sent', confirmed_at: null, amount: TWO_LINES_TOTAL, currency: 'UGX' },
      live: { status: 'SUCCESSFUL', amount: TWO_LINES_TOTAL, currency: 'UGX', stub: true },
      match: false,
    });
    expect(await traced()).toBe(before);
    await actor.post(`/v1/payment-intents/${held.intent}:confirm`);
    expect((await actor.ask(`/v1/payment-intents/${held.intent}/live-status`)).data.match).toBe(true);
  });

  it.each([
    ['Pending', true],
    ['Failed', true],
  ] as const)('200: a %s intent', async (status, match) => {
    const actor = await makeActor(rail);
    const { intent } = await inState(actor, status);
    expect((await actor.ask(`/v1/payment-intents/${intent}/live-status`)).data).toMatchObject({
      stored: { status },
      match,
    });
  });
});

describe('GET /v1/payment-intents/{name}/live-status where nobody can be asked', () => {
  it.each([
    ['a payment point without an address for enquiries', 'bank'],
    ['a connection that is no longer there', 'former'],
  ])('200: %s', async (_what, aggregator) => {
    const actor = await makeActor(rail);
    const { intent } = await createConfirmed(rail, actor);
    await rail.rows(sql`update payment_intent set aggregator = ${aggregator} where name = ${intent}`);
    expect((await actor.ask(`/v1/payment-intents/${intent}/live-status`)).data).toMatchObject({
      aggregator,
      stored: { status: 'Confirmed', amount: TWO_LINES_TOTAL },
      live: { status: 'UNKNOWN', txn_id: null, amount: null, stub: false, raw_response: {} },
      match: null,
    });
  });
});

describe('GET /v1/payment-events', () => {
  it("200: the caller's own, newest first; every filter", async () => {
    const actor = await makeActor(rail);
    const a = await createConfirmed(rail, actor);
    const b = await createConfirmed(rail, actor);
    const list = async (query: string) => (await actor.ask(`/v1/payment-events${query}`)).data;
    expect(await list('')).toHaveLength(4);
    expect((await list(`?intent=${a.intent}`)).every(({ intent }: { intent: string }) => intent === a.intent)).toBe(
      true,
    );
    expect((await list('?mda=URA')).map(({ intent }: { intent: string }) => intent)).toEqual([b.intent, a.intent]);
    const [newest] = await list('?limit=1');
    expect(await list(`?from_date=${newest.occurred_at}&to_date=${newest.occurred_at}`)).toHaveLength(2);
    expect(await list(`?from_date=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
    expect(newest).toMatchObject({ kind: 'payment', channel: 'mtn_momo', proof: 'simulated', seal: null });
    const count = async (proofs: string) => {
      const query = `{ paymentEvents(proof: [${proofs}]) { totalCount } }`;
      return (await actor.post('/graphql', { query })).data.paymentEvents.totalCount;
    };
    expect([await count('enquiry'), await count('enquiry, simulated')]).toEqual([0, 4]);
    expect([await list('?proof=enquiry'), await list('?proof=simulated')]).toEqual([[], await list('')]);
    expect((await makeActor(rail).then((other) => other.ask('/v1/payment-events'))).data).toEqual([]);
  });

  it.each(['from_date=2026-11-32', 'to_date=x', 'from_date=2026-11-21T25:00:00Z', 'limit=201'])(
    '422: %s',
    async (query) => {
      const actor = await makeActor(rail);
      expect((await actor.ask(`/v1/payment-events?${query}`)).json.error.details[0].path).toBe(query.split('=')[0]);
    },
  );

  it('are proof: they can be neither changed nor removed, and none is added without its confirmation', async () => {
    const actor = await makeActor(rail);
    await createConfirmed(rail, actor);
    for (const statement of [
      sql`update payment_event set amount = 1`,
      sql`delete from payment_event`,
      sql`truncate payment_event cascade`,
      sql`delete from trace_row`,
    ]) {
      await expect(rail.rows(statement)).rejects.toThrow(/append-only/);
    }
    const { intent } = await createSent(rail, actor);
    await expect(
      rail.rows(sql`update payment_intent set status = 'Confirmed', confirmed_at = now() where name = ${intent}`),
    ).rejects.toThrow(/do not equal its splits/);
  });
});

describe('an intent of somebody else', () => {
  it('404: byte for byte as one that is not there, on every path', async () => {
    const [owner, stranger] = [await makeActor(rail), await makeActor(rail)];
    const { intent } = await createPending(rail, owner);
    const missing = 'PI-2020-01-000001';
    for (const ask of [
      (name: string) => stranger.ask(`/v1/payment-intents/${name}`),
      (name: string) => stranger.ask(`/v1/payment-intents/${name}/trace`),
      (name: string) => stranger.ask(`/v1/payment-intents/${name}/live-status`),
      (name: string) => stranger.post(`/v1/payment-intents/${name}:initiate`),
      (name: string) => stranger.post(`/v1/payment-intents/${name}:confirm`),
    ]) {
      const [foreign, none] = [await ask(intent), await ask(missing)];
      expect(foreign.status).toBe(404);
      expect(foreign.text).toBe(none.text);
    }
  });
});
