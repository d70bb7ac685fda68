import { createHmac, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../../src/platform/database/sql.ts';
import { type Actor, TWO_LINES_TOTAL, createConfirmed, makeActor } from '../../../harness/flow.ts';
import { catchUp, notifyAgencies, verifyAfter } from '../../../harness/ledger.ts';
import { makeAgency } from '../../../harness/people/agency.ts';
import { type StaffActor, makeStaff } from '../../../harness/people/staff.ts';
import { type Answer, testRail } from '../../../harness/rail.ts';

const SECRET = 'the-secret-in-use-0001';
const rail = testRail({ WEBHOOK_SECRET_MTN_MOMO: SECRET });

let actor: Actor;
let finance: StaffActor;

beforeAll(async () => {
  actor = await makeActor(rail);
  finance = await makeStaff(rail, 'finance_officer');
});

const chargeBack = (intent: string, number: string, more: object = {}, by: Pick<Actor, 'post'> = finance) =>
  by.post('/v1/refunds', {
    intent,
    reason_code: 'not_delivered',
    method: 'chargeback',
    provider_reference: number,
    ...more,
  });
const reasonOf = ({ status, json }: Answer) => [
  status,
  json.error?.details?.[0]?.code ?? json.error?.details?.[0]?.path,
];
const eventsOf = async (intent: string) =>
  (await actor.ask(`/v1/payment-events?intent=${intent}`)).data as { kind: string; amount: number; txn_id: string }[];
const anomalyOf = async (intent: string, kind = 'dispute') => {
  const [row] = await rail.rows<{ status: string; resolution: string | null; evidence: object; mdas: string[] }>(
    sql`select status, resolution, evidence, mdas from anomaly where kind = ${kind} and subject = ${intent}`,
  );
  return row;
};

describe('POST /v1/refunds, by chargeback', () => {
  it('200: Done at once in a sandbox, with what a refund writes', async () => {
    const { intent, assessment } = await createConfirmed(rail, actor);
    await notifyAgencies(rail);
    const { status, data } = await chargeBack(intent, 'CB-1');
    expect([status, data.status, data.provider_reference]).toEqual([200, 'Done', 'CB-1']);
    const back = (await eventsOf(intent)).filter(({ kind }) => kind === 'reversal');
    expect(back.map(({ amount, txn_id }) => [amount, txn_id])).toEqual([
      [-135_000, 'CB-1'],
      [-450_000, 'CB-1'],
    ]);
    const [receipt] = (await actor.ask(`/v1/assessments/${assessment}/receipts`)).data;
    expect(receipt.status).toBe('Void');
    expect(await rail.count(sql`select from propagation where refund = ${data.name}`)).toBeGreaterThan(0);
    const types = await rail.rows<{ type: string }>(
      sql`select type from outbox where object = ${data.name} order by sequence`,
    );
    expect(types.map(({ type }) => type)).toEqual(['refund.requested', 'refund.approved', 'refund.done']);
  });

  it('200: finds less after a refund, and a refund after it', async () => {
    const { intent } = await createConfirmed(rail, actor);
    await finance.post('/v1/refunds', { intent, reason_code: 'overpaid', amount: 500_000, method: 'transfer' });
    expect((await chargeBack(intent, 'CB-2')).data.amount).toBe(TWO_LINES_TOTAL - 500_000);
    const more = await finance.post('/v1/refunds', { intent, reason_code: 'overpaid', method: 'transfer' });
    expect(reasonOf(more)).toEqual([422, 'refund_not_possible']);
    expect(reasonOf(await chargeBack(intent, 'CB-3'))).toEqual([422, 'refund_not_possible']);
  });

  it('200: of more than is left, what is left; the rest is in the dispute, which stays open', async () => {
    const { intent } = await createConfirmed(rail, actor);
    await finance.post('/v1/refunds', { intent, reason_code: 'overpaid', amount: 500_000, method: 'transfer' });
    const { data } = await chargeBack(intent, 'CB-4', { amount: TWO_LINES_TOTAL });
    expect(data).toMatchObject({ status: 'Done', amount: 85_000 });
    const evidence = { dispute: 'CB-4', amount: TWO_LINES_TOTAL, rest: 500_000, chargeback: data.name };
    expect(await anomalyOf(intent)).toMatchObject({ status: 'Open', evidence });
  });

  it('200: ends the dispute of its payment', async () => {
    const { intent } = await createConfirmed(rail, actor);
    await finance.post(`/v1/payment-intents/${intent}:dispute`, {
      provider_reference: 'D-1',
      answer_by: '2026-12-01',
    });
    const { data } = await chargeBack(intent, 'CB-5', { amount: 10_000 });
    expect(await anomalyOf(intent)).toMatchObject({ status: 'Resolved', resolution: `Chargeback ${data.name}` });
  });

  it.each([
    ['without a number', { provider_reference: undefined }, 'provider_reference'],
    ['with a number and another method', { method: 'transfer' }, 'provider_reference'],
    ['with a number that is too long', { provider_reference: 'x'.repeat(65) }, 'provider_reference'],
    ['of nothing', { amount: 0 }, 'amount'],
    ['of more decimals than the currency has', { amount: TWO_LINES_TOTAL + 0.5 }, 'amount'],
  ])('422: %s', async (_what, more, path) => {
    const { intent } = await createConfirmed(rail, actor);
    expect(reasonOf(await chargeBack(intent, 'CB-6', more))).toEqual([422, path]);
    expect(await rail.count(sql`select from refund where intent = ${intent}`)).toBe(0);
  });

  it('422: with the number of an earlier one of the payment', async () => {
    const { intent } = await createConfirmed(rail, actor);
    await chargeBack(intent, 'CB-7', { amount: 5 });
    expect(reasonOf(await chargeBack(intent, 'CB-7', { amount: 5 }))).toEqual([422, 'provider_reference']);
  });

  it('422: of an agency', async () => {
    const { intent } = await createConfirmed(rail, actor);
    const client = await makeAgency(rail, 'URSB', ['payments.read', 'refunds.request']);
    const token = await client.token();
    const agency = { post: (path: string, body: unknown = {}) => rail.ask(path, { key: token, body }) };
    expect(reasonOf(await chargeBack(intent, 'CB-8', {}, agency))).toEqual([422, 'refund_not_possible']);
  });
});

describe('POST /v1/payment-intents/{name}:dispute', () => {
  const dispute = (intent: string, more: object = {}, by: Pick<Actor, 'post'> = finance) =>
    by.post(`/v1/payment-intents/${intent}:dispute`, {
      provider_reference: 'D-2',
      answer_by: '2026-12-01',
      ...more,
    });

  it('200: raises the anomaly, with the amount, the day and the trace', async () => {
    const { intent } = await createConfirmed(rail, actor);
    expect((await dispute(intent)).data).toMatchObject({ name: intent, status: 'Confirmed' });
    expect(await anomalyOf(intent)).toMatchObject({
      status: 'Open',
      mdas: ['URA', 'URSB'],
      evidence: {
        dispute: 'D-2',
        amount: TWO_LINES_TOTAL,
        currency: 'UGX',
        answer_by: '2026-12-01',
        trace: `/v1/payment-intents/${intent}/trace`,
      },
    });
    const { timeline } = (await actor.ask(`/v1/payment-intents/${intent}/trace`)).data;
    expect(timeline.at(-1).detail).toMatchObject({ dispute: 'D-2' });
    await dispute(intent, { provider_reference: 'D-3', amount: 5_000 });
    expect(await anomalyOf(intent)).toMatchObject({
      evidence: { dispute: 'D-2', amount: TWO_LINES_TOTAL, further: { 'D-3': { amount: 5_000 } } },
    });
  });

  it('422, 401 and 403: bad input, keys, and staff who do not decide on refunds', async () => {
    const { intent } = await createConfirmed(rail, actor);
    expect(reasonOf(await dispute(intent, { amount: -1 }))).toEqual([422, 'amount']);
    expect(reasonOf(await dispute(intent, { provider_reference: ' ' }))).toEqual([422, 'provider_reference']);
    expect(reasonOf(await dispute(intent, { answer_by: 'soon' }))).toEqual([422, 'answer_by']);
    expect((await dispute(intent, {}, actor)).status).toBe(401);
    expect((await dispute(intent, {}, await makeStaff(rail, 'clerk'))).status).toBe(403);
    expect((await dispute('PI-2026-01-999999')).status).toBe(404);
    expect(await anomalyOf(intent)).toBeUndefined();
  });
});

describe('a callback about a dispute', () => {
  const event = (intent: string, more: object = {}) => ({
    event_id: randomUUID(),
    intent,
    status: 'DISPUTED',
    amount: 40_000,
    currency: 'UGX',
    dispute: 'D-9',
    answer_by: '2026-12-05',
    ...more,
  });
  const send = (body: object, signature?: string) => {
    const text = JSON.stringify(body);
    const signed = createHmac('sha256', SECRET).update(text).digest('hex');
    return rail.ask('/v1/webhooks/mtn_momo', {
      body: text,
      headers: { 'x-service-signature': signature ?? signed },
    });
  };

  it('200: raises the anomaly once, also where it is sent again', async () => {
    const { intent } = await createConfirmed(rail, actor);
    const body = event(intent);
    expect((await send(body)).data).toEqual({ decision: 'disputed', intent });
    const evidence = { dispute: 'D-9', amount: 40_000, answer_by: '2026-12-05' };
    expect(await anomalyOf(intent)).toMatchObject({ status: 'Open', evidence });
    await chargeBack(intent, 'D-9', { amount: 40_000 });
    expect((await send(body)).data).toEqual({ decision: 'disputed', intent });
    expect((await send(event(intent))).data).toEqual({ decision: 'disputed', intent });
    expect(await anomalyOf(intent)).toMatchObject({ status: 'Resolved', evidence });
    expect((await eventsOf(intent)).filter(({ kind }) => kind === 'reversal')).toHaveLength(2);
  });

  it('401 for a wrong signature; 422 for a dispute of no amount or number, or another under its ID', async () => {
    const { intent } = await createConfirmed(rail, actor);
    expect((await send(event(intent), 'a'.repeat(64))).status).toBe(401);
    expect(reasonOf(await send(event(intent, { amount: undefined })))).toEqual([422, 'amount']);
    expect(reasonOf(await send(event(intent, { dispute: undefined })))).toEqual([422, 'dispute']);
    expect(await anomalyOf(intent)).toBeUndefined();
    const body = event(intent);
    await send(body);
    expect(reasonOf(await send({ ...body, amount: 50_000 }))).toEqual([422, 'event_reused']);
    expect((await send(event('PI-2026-01-999999'))).data.decision).toBe('unknown_intent');
  });
});

it('leaves a ledger that verifies', async () => {
  await catchUp(rail);
  const nothing = { name: 'nothing', run: async () => 'a row' };
  const { verification } = await verifyAfter(rail, nothing, Math.random);
  expect(verification.findings).toEqual([]);
});
