import { createHmac, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import {
  TWO_LINES_TOTAL,
  createConfirmed,
  createInitiated,
  makeActor,
  createPending,
  createPendingFor,
  createSent,
} from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';

const SECRETS = ['the-secret-in-use-0001', 'the-secret-before-0001'] as const;
const rail = testRail({ WEBHOOK_SECRET_MTN_MOMO: SECRETS.join(',') });

const event = (intent: string, more: object = {}) => ({
  event_id: randomUUID(),
  intent,
  status: 'SUCCESSFUL',
  amount: TWO_LINES_TOTAL,
  currency: 'UGX',
  txn_id: 'MP-1',
  settled_at: '2026-11-21T09:25:00Z',
  ...more,
});

function call(
  body: object | string,
  { signature, provider = 'mtn_momo' }: { signature?: string; provider?: string } = {},
) {
  return rail.ask(`/v1/webhooks/${provider}`, {
    body,
    headers: signature === undefined ? {} : { 'x-service-signature': signature },
  });
}

const sign = (body: string, secret: string = SECRETS[0]) => createHmac('sha256', secret).update(body).digest('hex');

describe('POST /v1/webhooks/{provider}', () => {
  it('200: confirms a Sent intent as :confirm does', async () => {
    const actor = await makeActor(rail);
    const { assessment, intent } = await createSent(rail, actor);
    expect((await call(event(intent))).data).toEqual({ decision: 'confirmed', intent });
    expect((await actor.ask(`/v1/assessments/${assessment}`)).data.status).toBe('Paid');
    const events = (await actor.ask(`/v1/payment-events?intent=${intent}`)).data;
    expect(events).toHaveLength(2);
    expect(events[0]).toMatchObject({ txn_id: 'MP-1' });
    const { timeline } = (await actor.ask(`/v1/payment-intents/${intent}/trace`)).data;
    expect(timeline.find(({ kind }: { kind: string }) => kind === 'adapter.verify').actor).toBe('callback:mtn_momo');
  });

  it("200: finds the intent by the aggregator's reference", async () => {
    const actor = await makeActor(rail);
    const { intent } = await createSent(rail, actor);
    expect((await call({ ...event(intent), intent: undefined, reference: `STUB-MTN_MOMO-${intent}` })).data).toEqual({
      decision: 'confirmed',
      intent,
    });
  });

  it('200: gives a replay the stored decision, whether of the same event or of the same bytes', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createSent(rail, actor);
    const body = event(intent);
    const first = await call(body);
    expect((await call(body)).text).toBe(first.text);
    expect((await call({ ...body, status: 'FAILED' })).text).toBe(first.text);
    expect(await rail.count(sql`select 1 from payment_event where intent = ${intent}`)).toBe(2);
  });

  it.each<[string, (other: string) => object, 'other' | 'one' | null]>([
    ['another intent', (intent) => ({ intent, txn_id: 'MP-2' }), 'other'],
    [
      'another intent, by its reference',
      (intent) => ({ intent: undefined, reference: `STUB-MTN_MOMO-${intent}`, txn_id: 'MP-3' }),
      'other',
    ],
    ['another intent that failed', (intent) => ({ intent, status: 'FAILED' }), null],
    ['an intent that nobody knows', () => ({ intent: 'PI-2020-01-000001' }), null],
    ['another amount', () => ({ amount: 5 }), null],
    ['another currency', () => ({ currency: 'KES' }), null],
    ['another transaction', () => ({ txn_id: 'MP-4' }), null],
  ])(
    '422: %s under the ID of an event is booked where it is money, and flagged once',
    async (_name, differ, booked) => {
      const actor = await makeActor(rail);
      const [one, other] = [await createSent(rail, actor), await createSent(rail, actor)];
      const first = event(one.intent);
      const tell = (body: object) => {
        const text = JSON.stringify(body);
        return call(text, { signature: sign(text) });
      };
      const answer = await tell(first);
      const flags = () =>
        rail.count(
          sql`select from anomaly where kind = 'event_reused' and subject like ${`mtn_momo:${first.event_id}:%`}`,
        );
      const reused = { ...first, ...differ(other.intent) };
      for (let times = 0; times < 2; times++) {
        const refused = await tell(reused);
        expect([refused.status, refused.json.error?.details[0].code]).toEqual([422, 'event_reused']);
        expect((await tell(first)).text).toBe(answer.text);
      }
      expect(await flags()).toBe(1);
      const intents = [one.intent, other.intent];
      expect(await rail.rows(sql`select intent, kind from money_received where intent = any(${intents})`)).toEqual(
        booked ? [{ intent: { one, other }[booked].intent, kind: 'event_reused' }] : [],
      );
      expect((await actor.ask(`/v1/payment-intents/${other.intent}`)).data.status).toBe('Sent');
      expect((await tell({ ...first, ...differ(other.intent), txn_id: 'MP-9', amount: 9 })).status).toBe(422);
      expect(await flags()).toBe(2);
      // Its content is still checked with the provider.
      expect((await actor.post(`/v1/payment-intents/${other.intent}:confirm`)).data.intent.status).toBe('Confirmed');
      expect(await rail.count(sql`select from payment_event where intent = any(${intents})`)).toBe(4);
    },
  );

  it('200: an unsigned callback uses up nothing of what the provider signs under the same id', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createSent(rail, actor);
    const id = randomUUID();
    expect((await call({ ...event(intent, { status: 'PENDING' }), event_id: id })).data).toEqual({
      decision: 'pending',
      intent,
    });
    const signed = JSON.stringify(event(intent, { event_id: id }));
    expect((await call(signed, { signature: sign(signed) })).data).toEqual({ decision: 'confirmed', intent });
    expect((await call(signed, { signature: sign(signed) })).data).toEqual({ decision: 'confirmed', intent });
    expect((await call(JSON.parse(signed) as object)).data).toEqual({ decision: 'confirmed', intent });
  });

  it('200: an intent that is not there yet is not decided on for good', async () => {
    const id = randomUUID();
    const unknown = JSON.stringify(event('PI-2020-01-000001', { event_id: id }));
    for (const signature of [undefined, sign(unknown)]) {
      const answer = await call(unknown, signature === undefined ? {} : { signature });
      expect(answer.data).toEqual({ decision: 'unknown_intent', intent: null });
    }
    expect(await rail.count(sql`select 1 from inbound_callback where event_id = ${id}`)).toBe(0);
    const { intent } = await createSent(rail, await makeActor(rail));
    const real = JSON.stringify(event(intent, { event_id: id }));
    expect((await call(real, { signature: sign(real) })).data).toEqual({ decision: 'confirmed', intent });
  });

  it('200: says what else can have happened', async () => {
    const actor = await makeActor(rail);
    const done = await createConfirmed(rail, actor);
    expect((await call(event(done.intent))).data.decision).toBe('already_final');
    expect((await call(event('PI-2020-01-000001'))).data).toEqual({ decision: 'unknown_intent', intent: null });

    const waiting = await createSent(rail, actor);
    expect((await call(event(waiting.intent, { status: 'PENDING' }))).data.decision).toBe('pending');
    expect((await call(event(waiting.intent, { amount: 5 }))).data.decision).toBe('amount_mismatch');
    expect((await call(event(waiting.intent, { currency: 'KES' }))).data.decision).toBe('amount_mismatch');
    expect((await call(event(waiting.intent, { status: 'FAILED', reason: 'NO_FUNDS' }))).data.decision).toBe('failed');
    expect((await actor.ask(`/v1/payment-intents/${waiting.intent}`)).data).toMatchObject({
      status: 'Failed',
      failure_reason: 'NO_FUNDS',
    });
    expect((await call(event(waiting.intent))).data.decision).toBe('late_collection');
    expect((await actor.ask(`/v1/assessments/${waiting.assessment}`)).data.status).toBe('Paid');
  });

  it('200: a second collection is a duplicate', async () => {
    const actor = await makeActor(rail);
    const { assessment, intent } = await createSent(rail, actor);
    const second = await createPendingFor(actor, assessment);
    await createInitiated(actor, second);
    await call(event(intent));
    expect((await call(event(second))).data.decision).toBe('duplicate_collection');
  });

  it('200: believes nothing of a collection that nobody was asked for; confirms one whose initiation was never answered', async () => {
    const actor = await makeActor(rail);
    const { assessment, intent } = await createPending(rail, actor);
    expect((await call(event(intent))).data.decision).toBe('pending');
    await actor.post(`/v1/payment-intents/${intent}:initiate`, { payer_msisdn: '+256700123002' });
    expect((await call(event(intent))).data.decision).toBe('confirmed');
    expect((await actor.ask(`/v1/assessments/${assessment}`)).data.status).toBe('Paid');
  });

  it('200: signed with either secret', async () => {
    const actor = await makeActor(rail);
    for (const secret of SECRETS) {
      const { intent } = await createSent(rail, actor);
      const body = JSON.stringify(event(intent));
      expect((await call(body, { signature: sign(body, secret) })).data.decision).toBe('confirmed');
    }
  });

  it('401: a wrong signature, in sandbox mode too; nothing changes', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createSent(rail, actor);
    const body = JSON.stringify(event(intent));
    const right = sign(body);
    for (const signature of [
      '',
      'x',
      right.slice(1),
      `${right}00`,
      right.toUpperCase(),
      sign(body, 'another-secret-00001'),
      sign(`${body} `),
    ]) {
      expect(await call(body, { signature }), signature).toMatchObject({ status: 401, code: 'invalid_signature' });
    }
    expect((await actor.ask(`/v1/payment-intents/${intent}`)).data.status).toBe('Sent');
  });

  it('takes its headers as a list over GraphQL, their names in any case', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createSent(rail, actor);
    const body = JSON.stringify(event(intent));
    const query = `mutation ($body: Byte!, $headers: [CallbackHeaderInput!]) {
      receiveCallback(provider: "mtn_momo", body: $body, headers: $headers) { decision }
    }`;
    const receive = (signature: string) => {
      const headers = [
        { name: 'X-Forwarded-By', value: 'a proxy' },
        { name: 'X-SERVICE-Signature', value: signature },
      ];
      return rail.ask('/graphql', {
        body: { query, variables: { body: Buffer.from(body).toString('base64'), headers } },
      });
    };
    expect((await receive(sign('another body'))).json.errors).toMatchObject([
      { extensions: { code: 'invalid_signature' } },
    ]);
    expect((await receive(sign(body))).data).toEqual({ receiveCallback: { decision: 'confirmed' } });
  });

  it('401 comes before anything is read of the body', async () => {
    expect(await call('not json', { signature: '00' })).toMatchObject({ status: 401 });
  });

  it('404: an unknown provider', async () => {
    for (const provider of ['visa', 'cash', '__proto__', 'constructor'])
      expect((await call(event('x'), { provider })).status, provider).toBe(404);
  });

  it('400 and 422: what is no event', async () => {
    for (const body of ['', 'x', '{', new Blob([new Uint8Array([0x7b, 0xff, 0x7d])])]) {
      expect((await rail.ask('/v1/webhooks/mtn_momo', { method: 'POST', body })).status).toBe(400);
    }
    for (const body of [
      '[]',
      '5',
      'null',
      {},
      { ...event('x'), event_id: '' },
      { ...event('x'), status: 'DONE' },
      { ...event('x'), amount: undefined },
      { ...event('x'), amount: -1 },
      { ...event('x'), amount: '5' },
      { ...event('x'), intent: 'a\0b' },
      { ...event('x'), event_id: '\ud800' },
      { ...event('x'), intent: undefined },
    ]) {
      expect((await call(body)).status, JSON.stringify(body)).toBe(422);
    }
  });
});
