import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeActor } from '../harness/flow.ts';
import { booksOf, collect, startOutsideRail, planNext, statusOf } from '../harness/outside.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { CALLBACK_SECRETS } from '../../src/sandbox/simulators/outside.ts';

const held = startOutsideRail();
const { rail } = held;

/** A collection that was paid, and that the rail has not heard of. */
async function unheard(channel: 'mtn_momo' | 'airtel_money' | 'card') {
  const actor = await makeActor(rail);
  planNext(held.outside, channel, { callback: 'lost', settleMs: 0 });
  const { intent } = await collect(rail, actor, channel);
  const entry = booksOf(held.outside, channel).byIntent(intent)!;
  await expect.poll(() => entry.state).toBe('paid');
  return { intent, entry, status: () => statusOf(actor, intent) };
}

/** A collection whose payer declined. */
async function declined(channel: 'mtn_momo' | 'airtel_money' | 'card') {
  const actor = await makeActor(rail);
  planNext(held.outside, channel, { callback: 'lost', settleMs: 0, outcome: 'declined' });
  const { intent } = await collect(rail, actor, channel);
  await expect.poll(() => booksOf(held.outside, channel).byIntent(intent)!.state).toBe('declined');
  return intent;
}

const call = (path: string, body: object | string, headers: Record<string, string> = {}, method = 'POST') =>
  rail.ask(`/v1/webhooks/${path}`, { method, body: typeof body === 'string' ? body : JSON.stringify(body), headers });

describe('MTN', () => {
  const proof = (intent: string, secret: string = CALLBACK_SECRETS.mtn_momo) =>
    createHmac('sha256', secret).update(`callback ${intent}`).digest('hex');

  it.each(['PUT', 'POST'])('%s: confirms by the address that it was given, whatever the body says', async (method) => {
    const { intent, status } = await unheard('mtn_momo');
    const answer = await call(
      `mtn_momo?intent=${intent}&proof=${proof(intent)}`,
      { externalId: intent, status: 'FAILED' },
      {},
      method,
    );
    expect(answer).toMatchObject({ status: 200, data: { decision: 'confirmed', intent } });
    expect(await status()).toBe('Confirmed');
  });

  it('401 where the address was made up; 200 pending for a body that claims what is not so', async () => {
    const { intent, status } = await unheard('mtn_momo');
    for (const wrong of ['00', proof('PI-2026-11-000000'), proof(intent, 'another-secret-0001')]) {
      expect(await call(`mtn_momo?intent=${intent}&proof=${wrong}`, { status: 'SUCCESSFUL' })).toMatchObject({
        status: 401,
        code: 'invalid_signature',
      });
    }
    expect(await status()).toBe('Sent');
    const other = await declined('mtn_momo');
    const body = { externalId: other, status: 'SUCCESSFUL', amount: '585000', currency: 'UGX' };
    expect((await call(`mtn_momo?intent=${other}&proof=${proof(other)}`, body)).data.decision).toBe('failed');
  });

  it('tells two intents apart that are told of in the same bytes', async () => {
    const [first, second] = [await unheard('mtn_momo'), await unheard('mtn_momo')];
    for (const { intent } of [first, second]) {
      expect((await call(`mtn_momo?intent=${intent}&proof=${proof(intent)}`, {})).data).toEqual({
        decision: 'confirmed',
        intent,
      });
    }
  });
});

describe('Airtel', () => {
  const body = (id: string, secret: string = CALLBACK_SECRETS.airtel_money) => {
    const transaction = { id, message: 'Paid', status_code: 'TS', airtel_money_id: 'MP1' };
    return { transaction, hash: createHmac('sha256', secret).update(JSON.stringify({ transaction })).digest('base64') };
  };

  it('200: confirms what Airtel itself says; the same again gets the same', async () => {
    const { intent, entry } = await unheard('airtel_money');
    const first = await call('airtel_money', body(entry.reference));
    expect(first.data).toEqual({ decision: 'confirmed', intent });
    expect((await call('airtel_money', body(entry.reference))).text).toBe(first.text);
    expect((await call('airtel_money', body('PI-2020-01-000001'))).data).toEqual({
      decision: 'unknown_intent',
      intent: null,
    });
  });

  it.each([
    ['an escaped letter', '"message":"Paid by Nak\\u00e9"'],
    ['a decimal that is nought', '"amount":143000.0'],
    ['an escaped slash', String.raw`"message":"Paid to KCCA\/URA"`],
    ['a large integer', '"number":12345678901234567890'],
    ['blanks', '"message" :  "Paid"'],
    ['a member of the same name', '"hash":"of the payer"'],
  ])('200: with a hash over the bytes as they came: %s', async (_of, member) => {
    const sign = (content: string) =>
      createHmac('sha256', CALLBACK_SECRETS.airtel_money).update(content).digest('base64');
    for (const isFirst of [false, true]) {
      const { intent, entry } = await unheard('airtel_money');
      const transaction = `"transaction": {"id":"${entry.reference}","status_code":"TS",${member}}`;
      const hash = `"hash" : "${sign(`{${transaction}}`).replaceAll('/', String.raw`\/`)}"`;
      const sent = isFirst ? `{${hash}, ${transaction}}` : `{${transaction},\n${hash}}`;
      expect((await call('airtel_money', sent)).data).toEqual({ decision: 'confirmed', intent });
      const forged = sent.replace('"status_code":"TS"', '"status_code":"TF"');
      expect((await call('airtel_money', forged)).status).toBe(401);
    }
  });

  it('401: a hash under another key, or of another transaction', async () => {
    const { entry, status } = await unheard('airtel_money');
    const right = body(entry.reference);
    for (const wrong of [
      body(entry.reference, 'another-secret-0001'),
      { ...right, hash: 'x' },
      { ...right, transaction: { ...right.transaction, status_code: 'TF' } },
    ]) {
      expect(await call('airtel_money', wrong)).toMatchObject({ status: 401, code: 'invalid_signature' });
    }
    expect(await status()).toBe('Sent');
  });

  it('never fails or confirms what is ambiguous', async () => {
    const actor = await makeActor(rail);
    planNext(held.outside, 'airtel_money', { outcome: 'never' });
    held.outside.airtel.control.ambiguous = true;
    const { intent } = await collect(rail, actor, 'airtel_money');
    expect((await actor.ask(`/v1/payment-intents/${intent}/live-status`)).data.live).toMatchObject({
      status: 'PENDING',
      raw_response: { data: { transaction: { status: 'TA' } } },
    });
    expect((await actor.post(`/v1/payment-intents/${intent}:confirm`)).status).toBe(422);
    expect((await call('airtel_money', body(intent))).data.decision).toBe('pending');
    expect(await statusOf(actor, intent)).toBe('Sent');
    held.outside.airtel.control.ambiguous = false;
  });
});

describe('cards', () => {
  const secret = CALLBACK_SECRETS.card;
  const third = (tx_ref: string) =>
    JSON.stringify({
      event: 'charge.completed',
      data: { tx_ref, status: 'successful', amount: 585_000, currency: 'UGX' },
    });
  const fourth = (reference: string) =>
    JSON.stringify({
      webhook_id: `wbk_${reference}`,
      type: 'charge.completed',
      data: { reference, status: 'succeeded', amount: 585_000, currency: 'UGX' },
    });
  const signature = (body: string, key: string = secret) => createHmac('sha256', key).update(body).digest('base64');

  it('200: with the verif-hash of version 3, and with the signature of version 4', async () => {
    const [one, two] = [await unheard('card'), await unheard('card')];
    expect((await call('card', third(one.intent), { 'verif-hash': secret })).data).toEqual({
      decision: 'confirmed',
      intent: one.intent,
    });
    const body = fourth(two.intent);
    expect((await call('card', body, { 'flutterwave-signature': signature(body) })).data).toEqual({
      decision: 'confirmed',
      intent: two.intent,
    });
  });

  it('422: one webhook for two charges; the second is booked and flagged, and counts once the provider is asked', async () => {
    const [one, two] = [await unheard('card'), await unheard('card')];
    const send = (reference: string, webhook_id: string) => {
      const body = JSON.stringify({ ...(JSON.parse(fourth(reference)) as object), webhook_id });
      return call('card', body, { 'flutterwave-signature': signature(body) });
    };
    const first = await send(one.intent, 'wbk_twice');
    expect(first.data).toEqual({ decision: 'confirmed', intent: one.intent });
    for (let times = 0; times < 2; times++)
      expect((await send(two.intent, 'wbk_twice')).json.error?.details[0].code).toBe('event_reused');
    expect((await send(one.intent, 'wbk_twice')).text).toBe(first.text);
    expect(await rail.rows(sql`select kind, intent from money_received where provider = 'card'`)).toEqual([
      { kind: 'event_reused', intent: two.intent },
    ]);
    expect(
      await rail.count(sql`select from anomaly where kind = 'event_reused' and subject like 'card:wbk_twice:%'`),
    ).toBe(1);
    expect(await two.status()).toBe('Sent');
    expect((await send(two.intent, 'wbk_again')).data).toEqual({ decision: 'confirmed', intent: two.intent });
  });

  it('401: another hash, another signature, or a signature of another body', async () => {
    const { intent, status } = await unheard('card');
    for (const headers of [
      { 'verif-hash': 'guessed' },
      { 'flutterwave-signature': signature(fourth('PI-2020-01-000001')) },
      { 'flutterwave-signature': signature(fourth(intent), 'another-secret-0001') },
      // If both headers are sent, the one that signs the body decides.
      { 'verif-hash': secret, 'flutterwave-signature': 'x' },
    ] as Record<string, string>[]) {
      expect(await call('card', fourth(intent), headers)).toMatchObject({ status: 401, code: 'invalid_signature' });
    }
    expect(await status()).toBe('Sent');
  });

  it('believes no body under a verif-hash, which binds none', async () => {
    const intent = await declined('card');
    expect((await call('card', third(intent), { 'verif-hash': secret })).data.decision).toBe('failed');
  });

  it.each<[string, object]>([
    ['a payout', { event: 'transfer.completed', data: { tx_ref: 'x' } }],
    ['a refund', { event: 'refund.completed', data: { id: 1 } }],
    ['a refund of version 4', { type: 'refund.completed', webhook_id: 'wbk_1', data: { id: 'rf_1' } }],
    ['a subscription', { event: 'subscription.cancelled', data: {} }],
    ['a charge that names no reference', { event: 'charge.completed', data: {} }],
    ['an event of version 2', { 'event.type': 'Transfer', transfer: { id: 1 } }],
  ])('200 ignored: %s; 401 where the proof is wrong', async (_what, body) => {
    expect((await call('card', body, { 'verif-hash': secret })).data).toEqual({ decision: 'ignored', intent: null });
    expect((await call('card', body, { 'verif-hash': 'guessed' })).status).toBe(401);
  });

  it('200 disputed: a chargeback of version 4, which raises an anomaly; ignored without an amount', async () => {
    const { intent } = await unheard('card');
    const data = {
      id: 'cbk_1',
      reference: intent,
      amount: 5_000,
      currency: 'UGX',
      due_datetime: '2026-12-03T16:00:00Z',
    };
    const body = { type: 'chargeback.created', webhook_id: 'wbk_2', data };
    expect((await call('card', body, { 'verif-hash': secret })).data).toEqual({ decision: 'disputed', intent });
    const raised = await rail.rows(
      sql`select evidence ->> 'dispute' as dispute, evidence ->> 'answer_by' as day from anomaly where subject = ${intent}`,
    );
    expect(raised).toEqual([{ dispute: 'cbk_1', day: '2026-12-03' }]);
    const less = { type: 'chargeback.updated', data: { id: 'cbk_1', reference: intent } };
    expect((await call('card', less, { 'verif-hash': secret })).data.decision).toBe('ignored');
    expect((await call('card', body, { 'verif-hash': 'guessed' })).status).toBe(401);
  });

  it('200: a charge in the form of version 2', async () => {
    const { intent } = await unheard('card');
    const body = { txRef: intent, status: 'successful', amount: 1, 'event.type': 'CARD_TRANSACTION' };
    expect((await call('card', body, { 'verif-hash': secret })).data).toEqual({ decision: 'confirmed', intent });
  });
});

describe("the rail's own form", () => {
  it('is taken too, and believed as little', async () => {
    const intent = await declined('mtn_momo');
    const body = JSON.stringify({ event_id: 'e-1', intent, status: 'SUCCESSFUL', amount: 585_000, currency: 'UGX' });
    const sign = createHmac('sha256', CALLBACK_SECRETS.mtn_momo).update(body).digest('hex');
    expect((await call('mtn_momo', body, { 'x-service-signature': sign })).data.decision).toBe('failed');
  });

  it('502 while the provider cannot be asked; nothing is stored, so that the next try is decided', async () => {
    const { intent, entry, status } = await unheard('airtel_money');
    const body = JSON.stringify({
      event_id: 'e-2',
      reference: entry.reference,
      status: 'SUCCESSFUL',
      amount: 585_000,
      currency: 'UGX',
    });
    held.outside.airtel.trouble.down = 'refusing';
    expect(await call('airtel_money', body)).toMatchObject({ status: 502, code: 'adapter_failed' });
    held.outside.airtel.trouble.down = 'no';
    expect(await status()).toBe('Sent');
    expect((await call('airtel_money', body)).data).toEqual({ decision: 'confirmed', intent });
  });
});
