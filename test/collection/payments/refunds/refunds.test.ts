import { beforeAll, describe, expect, it } from 'vitest';
import { payDueRefunds } from '../../../../src/collection/payments/refunds/paying/provider.ts';
import { actAsSystem } from '../../../../src/platform/access/viewer.ts';
import { callOf } from '../../../../src/platform/call/call.ts';
import { sql } from '../../../../src/platform/database/sql.ts';
import {
  type Actor,
  TWO_LINES_TOTAL,
  createConfirmed,
  createPending,
  makeActor,
  someCitizen,
} from '../../../harness/flow.ts';
import { notifyAgencies } from '../../../harness/ledger.ts';
import { makeAgency } from '../../../harness/people/agency.ts';
import { type StaffActor, makeStaff } from '../../../harness/people/staff.ts';
import { type Answer, testRail } from '../../../harness/rail.ts';
import { sendForm } from '../../../site/forms/sending.ts';

const rail = testRail();

let actor: Actor;
let plain: Actor;
let finance: StaffActor;

beforeAll(async () => {
  actor = await makeActor(rail);
  plain = await makeActor(rail);
  finance = await makeStaff(rail, 'finance_officer');
});

const PAYE = 450_000;
const today = () => rail.rail.now().toISOString().slice(0, 10);
const ask = (by: Pick<Actor, 'post'>, intent: string, more: object = {}) =>
  by.post('/v1/refunds', { intent, reason_code: 'duplicate', method: 'transfer', ...more });
const prove = (name: string, more: object = {}) =>
  finance.post(`/v1/refunds/${name}:prove`, { reference: 'FT1', paid_on: today(), ...more });
const reasonOf = ({ status, json }: Answer) => [
  status,
  json.error?.details?.[0]?.code ?? json.error?.details?.[0]?.path,
];
const refundable = async (intent: string) =>
  (
    await finance.post('/graphql', {
      query: `{ paymentIntent(id: "${intent}") { refundable { amount shares { idx agencyId amount } methods { method } } } }`,
    })
  ).json.data.paymentIntent.refundable;
const eventsOf = async (intent: string) => (await actor.ask(`/v1/payment-events?intent=${intent}`)).data as Event[];
interface Event {
  readonly mda: string;
  readonly amount: number;
  readonly kind: string;
  readonly txn_id: string;
}
const receiptsOf = async (assessment: string) =>
  ((await actor.ask(`/v1/assessments/${assessment}/receipts`)).data as { status: string }[]).map(
    ({ status }) => status,
  );
const done = async (intent: string, more: object = {}) => {
  const asked = await ask(finance, intent, more);
  if (asked.status !== 200) throw new Error(asked.text);
  const proved = await prove(asked.data.name);
  if (proved.status !== 200) throw new Error(proved.text);
  return proved.data;
};

describe('POST /v1/refunds', () => {
  it('200: of a line, Approved at once in a sandbox, with what is left', async () => {
    const { intent, assessment } = await createConfirmed(rail, actor);
    const { status, data } = await ask(finance, intent, {
      lines: [{ idx: 1, amount: 50_000 }],
      note: 'Paid at a bank too',
    });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      intent,
      assessment,
      amount: 50_000,
      currency: 'UGX',
      shares: [{ idx: 1, mda: 'URA', amount: 50_000 }],
      reason_code: 'duplicate',
      note: 'Paid at a bank too',
      method: 'transfer',
      status: 'Approved',
      provider_reference: null,
    });
    expect(data.name).toMatch(/^RFD-\d{4}-\d\d-\d{6}$/);
    expect(await refundable(intent)).toMatchObject({
      amount: TWO_LINES_TOTAL - 50_000,
      methods: [{ method: 'provider' }, { method: 'transfer' }, { method: 'chargeback' }],
    });
    expect(await eventsOf(intent)).toHaveLength(2);
  });

  it('200: of an amount, spread over what is left of the lines without a rest', async () => {
    const { intent } = await createConfirmed(rail, actor);
    const { data } = await ask(finance, intent, { amount: 100_001 });
    expect(data.shares).toEqual([
      { idx: 1, mda: 'URA', amount: 76_924 },
      { idx: 2, mda: 'URSB', amount: 23_077 },
    ]);
    const rest = await ask(finance, intent);
    expect(rest.data.amount).toBe(TWO_LINES_TOTAL - 100_001);
    expect(await refundable(intent)).toBeNull();
  });

  it('200: the same refund for the same request under its key again', async () => {
    const { intent } = await createConfirmed(rail, actor);
    const body = { intent, reason_code: 'duplicate', amount: 10 };
    const headers = { 'idempotency-key': `refund-${intent}` };
    const first = await finance.ask('/v1/refunds', { body, headers });
    expect(await finance.ask('/v1/refunds', { body, headers })).toMatchObject({ status: 200, text: first.text });
    expect(await rail.count(sql`select from refund where intent = ${intent}`)).toBe(1);
  });

  it('200: of a key with the scope, and 403 without', async () => {
    const { intent } = await createConfirmed(rail, plain);
    expect(reasonOf(await ask(plain, intent))).toEqual([403, undefined]);
    const key = (await rail.keyGranted({}, 'assessments.write', 'payments.initiate', 'payments.refund')).plaintext;
    // Of another account, the payment is not there.
    expect((await rail.ask('/v1/refunds', { key, body: { intent, reason_code: 'overpaid' } })).status).toBe(404);
  });

  it('200: of an agency, for its own lines alone', async () => {
    const { intent } = await createConfirmed(rail, actor);
    const client = await makeAgency(rail, 'URSB', ['payments.read', 'refunds.request']);
    const key = await client.token();
    const agency = { post: (path: string, body: unknown = {}) => rail.ask(path, { key, body }) };
    const answer = await ask(agency, intent, { reason_code: 'not_delivered' });
    expect(answer.data?.shares ?? answer.text).toEqual([{ idx: 2, mda: 'URSB', amount: 135_000 }]);
    expect(reasonOf(await ask(agency, intent, { lines: [{ idx: 1 }] }))).toEqual([422, 'refund_not_possible']);
    expect((await refundable(intent)).shares).toMatchObject([{ idx: 1, amount: PAYE }]);
  });

  it('422: two at once that exceed what is left, one happens', async () => {
    const { intent } = await createConfirmed(rail, actor);
    const answers = await Promise.all(
      [1, 2, 3].map(() => ask(finance, intent, { expected_available: TWO_LINES_TOTAL })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 200).map(reasonOf)).toEqual([
      [422, 'refund_available_changed'],
      [422, 'refund_available_changed'],
    ]);
  });

  it.each([
    ['zero', { amount: 0 }, 'amount'],
    ['less than nothing', { amount: -5 }, 'amount'],
    ['more decimals than the currency has', { amount: 1.5 }, 'amount'],
    ['more than is left', { amount: TWO_LINES_TOTAL + 1 }, 'amount'],
    ['a line that is not there', { lines: [{ idx: 3 }] }, 'lines[0].idx'],
    ['a line twice', { lines: [{ idx: 1 }, { idx: 1 }] }, 'lines[1].idx'],
    ['more than is left of a line', { lines: [{ idx: 1, amount: PAYE + 1 }] }, 'lines[0].amount'],
    ['no lines', { lines: [] }, 'lines'],
    ['lines and an amount', { lines: [{ idx: 1 }], amount: 5 }, 'amount'],
    ['another reason without a note', { reason_code: 'other' }, 'note'],
    ['a reason that there is not', { reason_code: 'because' }, 'reason_code'],
  ])('422: %s', async (_what, more, path) => {
    const { intent } = await createConfirmed(rail, actor);
    expect(reasonOf(await ask(finance, intent, more))).toEqual([422, path]);
    expect(await rail.count(sql`select from refund where intent = ${intent}`)).toBe(0);
  });

  it('422: of a payment that is not Confirmed', async () => {
    const { intent } = await createPending(rail, actor);
    expect(reasonOf(await ask(finance, intent))).toEqual([422, 'refund_not_possible']);
  });

  it('422: of a payment of six years ago', async () => {
    const { intent } = await createConfirmed(rail, actor);
    await rail.rows(
      sql`update payment_intent set confirmed_at = confirmed_at - interval '6 years' where name = ${intent}`,
    );
    expect(reasonOf(await ask(finance, intent))).toEqual([422, 'refund_too_late']);
  });
});

describe('POST /v1/refunds/{name}:prove', () => {
  it('200: records a negative event for each agency, by the number of the bank, and keeps the receipt', async () => {
    const { intent, assessment } = await createConfirmed(rail, actor);
    const refund = await done(intent, { lines: [{ idx: 1, amount: 50_000 }] });
    expect(refund).toMatchObject({ status: 'Done', provider_reference: 'FT1', paid_on: today() });
    expect((await eventsOf(intent)).filter(({ kind }) => kind === 'reversal')).toMatchObject([
      { mda: 'URA', amount: -50_000, txn_id: 'FT1' },
    ]);
    expect(await receiptsOf(assessment)).toEqual(['Issued']);
    expect((await actor.ask(`/v1/assessments/${assessment}`)).data.status).toBe('Paid');
    const trace = (await actor.ask(`/v1/payment-intents/${intent}/trace`)).data.timeline as {
      doc: string;
      detail: { to?: string };
    }[];
    expect(trace.filter(({ doc }) => doc === refund.name).map(({ detail }) => detail.to)).toEqual([
      'Requested',
      'Approved',
      'Done',
    ]);
    const told = sql`select type from outbox where object = ${refund.name} order by sequence`;
    expect(await rail.rows(told)).toEqual([
      { type: 'refund.requested' },
      { type: 'refund.approved' },
      { type: 'refund.done' },
    ]);
  });

  it('200: voids the receipt of the payment once nothing is left of it, and not that of another', async () => {
    const { intent, assessment } = await createConfirmed(rail, actor);
    await done(intent, { amount: 5_000 });
    await done(intent);
    expect(await receiptsOf(assessment)).toEqual(['Void']);
    const sum = await rail.rows(
      sql`select sum(amount)::int as left from payment_event where assessment = ${assessment}`,
    );
    expect(sum).toEqual([{ left: 0 }]);
  });

  it.each([
    ['without a number', { reference: ' ' }, 'reference'],
    ['of a day to come', { paid_on: '2099-01-01' }, 'paid_on'],
    ['of a day before it was requested', { paid_on: '2020-01-01' }, 'paid_on'],
    ['with a hash that is none', { document_hash: 'abc' }, 'document_hash'],
  ])('422: %s', async (_what, more, path) => {
    const { intent } = await createConfirmed(rail, actor);
    const { name } = (await ask(finance, intent)).data;
    expect(reasonOf(await prove(name, more))).toEqual([422, path]);
    expect((await finance.ask(`/v1/refunds/${name}`)).data.status).toBe('Approved');
  });

  it('422: a second time', async () => {
    const { intent } = await createConfirmed(rail, actor);
    const { name } = await done(intent);
    expect(reasonOf(await prove(name))).toEqual([422, 'refund_not_possible']);
    expect(await eventsOf(intent)).toHaveLength(4);
  });

  it('403: for others than finance officers and admins; 404: for a refund that is not there', async () => {
    const supervisor = await makeStaff(rail, 'supervisor');
    const { intent } = await createConfirmed(rail, actor);
    const { name } = (await ask(supervisor, intent)).data;
    const answer = await supervisor.post(`/v1/refunds/${name}:prove`, { reference: 'FT1', paid_on: today() });
    expect(answer.status).toBe(403);
    expect((await prove('RFD-2026-01-000001')).status).toBe(404);
  });
});

describe('cancelling a payment of which a part was refunded', () => {
  it('reverses what is left, and waits for no refund', async () => {
    const { intent, assessment } = await createConfirmed(rail, actor);
    await done(intent, { lines: [{ idx: 1, amount: 50_000 }] });
    const { data: waiting } = await ask(finance, intent, { lines: [{ idx: 2 }] });
    expect((await actor.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Wrong' })).status).toBe(200);
    const reversed = (await eventsOf(intent)).filter(({ kind, txn_id }) => kind === 'reversal' && txn_id !== 'FT1');
    expect(reversed).toMatchObject([{ mda: 'URA', amount: 50_000 - PAYE }]);
    expect(await refundable(intent)).toBeNull();
    expect((await prove(waiting.name)).status).toBe(200);
    const sum = await rail.rows(
      sql`select sum(amount)::int as left from payment_event where assessment = ${assessment}`,
    );
    expect(sum).toEqual([{ left: 0 }]);
  });

  it('opens a refund of what it reversed, which is paid without further events', async () => {
    const { intent, assessment } = await createConfirmed(rail, actor);
    await done(intent, { lines: [{ idx: 1, amount: 50_000 }] });
    await actor.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Wrong' });
    const { data: opened } = await finance.ask(`/v1/refunds?intent=${intent}&status=Approved`);
    expect(opened).toMatchObject([
      { amount: TWO_LINES_TOTAL - 50_000, booked: true, method: 'provider', note: 'Wrong' },
    ]);
    const due = async () =>
      (await finance.post('/graphql', { query: `{ assessment(id: "${assessment}") { refundDue refunded } }` })).json
        .data.assessment;
    expect(await due()).toEqual({ refundDue: TWO_LINES_TOTAL - 50_000, refunded: 50_000 });
    const before = await eventsOf(intent);
    await payDueRefunds(callOf(rail.rail, actAsSystem('job:refund'), 'test'));
    expect((await finance.ask(`/v1/refunds/${opened[0].name}`)).data.status).toBe('Done');
    expect(await due()).toEqual({ refundDue: 0, refunded: TWO_LINES_TOTAL });
    expect(await eventsOf(intent)).toEqual(before);
  });
});

describe('GET /v1/payment-intents?surplus', () => {
  it('200: the second payment of an assessment alone, with what went back of it', async () => {
    const { intent: first, assessment } = await createPending(rail, actor);
    const { data: second } = await actor.post('/v1/payment-intents', { assessment, channel: 'mtn_momo' });
    for (const intent of [first, second.name])
      await actor.post(`/v1/payment-intents/${intent}:initiate`, { payer_msisdn: '+256772000111' });
    for (const intent of [first, second.name]) await actor.post(`/v1/payment-intents/${intent}:confirm`);
    const names = async (surplus: boolean) =>
      (
        (await actor.ask(`/v1/payment-intents?assessment=${assessment}&surplus=${surplus}`)).data as { name: string }[]
      ).map(({ name }) => name);
    expect([await names(true), await names(false)]).toEqual([[second.name], [first]]);
    await done(second.name, { amount: 5_000 });
    const query = `{ paymentIntents(surplus: true, assessment: "${assessment}") { nodes { id refunded } } }`;
    expect((await finance.post('/graphql', { query })).json.data.paymentIntents.nodes).toEqual([
      { id: second.name, refunded: 5_000 },
    ]);
  });

  it('200: a payment that came after its assessment was cancelled', async () => {
    const { intent, assessment } = await createPending(rail, actor);
    await actor.post(`/v1/payment-intents/${intent}:initiate`, { payer_msisdn: '+256772000111' });
    await actor.post(`/v1/assessments/${assessment}:cancel`, {});
    await actor.post(`/v1/payment-intents/${intent}:confirm`);
    const { data } = await actor.ask(`/v1/payment-intents?assessment=${assessment}&surplus=true`);
    expect(data).toMatchObject([{ name: intent, status: 'Confirmed' }]);
  });
});

describe('a receipt of which a part was refunded', () => {
  it('stays valid, and says how much is left, to anybody who verifies it, and on paper', async () => {
    const { intent, assessment } = await createConfirmed(rail, actor);
    await done(intent, { amount: 100_000 });
    const receipt = (await actor.ask(`/v1/assessments/${assessment}/receipts`)).data[0];
    const { payload, signature, kid, code, name } = receipt;
    const verify = async () => (await rail.ask('/v1/receipts:verify', { body: { payload, signature, kid } })).data;
    expect(await verify()).toMatchObject({ state: 'valid', left: TWO_LINES_TOTAL - 100_000, voided_at: null });
    const paper = `/v1/receipts/${name}`;
    const text = await actor.ask(paper, { headers: { accept: 'text/plain' } });
    expect(text.text).toContain('PARTLY REFUNDED: UGX 485,000 is left');
    const page = await sendForm(rail, '/verify', '', { name, code });
    expect(await page.text()).toContain('After refunds, UGX\u00a0485,000 of it is left.');
    await done(intent);
    expect(await verify()).toMatchObject({ state: 'void', left: 0 });
  });
});

describe('a refund of the made-up provider of a sandbox', () => {
  const pay = () => payDueRefunds(callOf(rail.rail, actAsSystem('job:refund'), 'test'));
  it.each([
    ['000001', 'Done'],
    ['000004', 'Sent'],
    ['000005', 'Failed'],
    ['000006', 'Done'],
  ])('goes as the number of the payer has it: %s, %s', async (ending, status) => {
    const { intent } = await createPending(rail, actor);
    const payer = { payer_msisdn: `+256772${ending.replace('000001', '000111')}` };
    await actor.post(`/v1/payment-intents/${intent}:initiate`, payer);
    await actor.post(`/v1/payment-intents/${intent}:confirm`);
    const { data } = await ask(finance, intent, { method: 'provider' });
    for (let round = 0; round < 2; round++) {
      await pay();
      await rail.rows(sql`update refund set enquire_at = ${rail.rail.now()} where enquire_at is not null`);
    }
    expect((await finance.ask(`/v1/refunds/${data.name}`)).data.status).toBe(status);
  });
});

describe('figures by service', () => {
  it('are less by the lines that refunds give back, and nothing once the rest is cancelled', async () => {
    const lines = ['URA-PAYE', 'URA-TCC', 'URSB-COMPANY'].map(
      (code) => sql`select name, mda from service where code = ${code}`,
    );
    const services = (await Promise.all(lines.map((line) => rail.rows<{ name: string }>(line)))).flat();
    const body = {
      citizen: await someCitizen(rail),
      lines: services.map(({ name }) => ({ service: name })),
      assess: true,
    };
    const { data: assessment } = await actor.post('/v1/assessments', body);
    const amounts = (assessment.lines as { service: string; amount: number }[]).map(({ amount }) => amount);
    const { data: intent } = await actor.post('/v1/payment-intents', { assessment: assessment.name, channel: 'cash' });
    await actor.post(`/v1/payment-intents/${intent.name}:initiate`);
    await actor.post(`/v1/payment-intents/${intent.name}:confirm`);
    const byService = () =>
      rail.rows<{ service: string; amount: number }>(sql`
        select s.service, sum(s.amount)::int as amount from event_share s join payment_event e on e.name = s.event
        where e.intent = ${intent.name} group by 1`);
    const left = (...back: number[]) =>
      expect.arrayContaining(
        services.map(({ name }, index) => ({ service: name, amount: amounts[index]! - (back[index] ?? 0) })),
      );
    await done(intent.name, { lines: [{ idx: 2, amount: 3_000 }] });
    expect(await byService()).toEqual(left(0, 3_000));
    await done(intent.name, { lines: [{ idx: 1, amount: 7_000 }, { idx: 3 }] });
    expect(await byService()).toEqual(left(7_000, 3_000, amounts[2]!));
    const supervisor = await makeStaff(rail, 'supervisor');
    await supervisor.post(`/v1/assessments/${assessment.name}:cancel`, { reason: 'Wrong' });
    expect((await actor.ask(`/v1/assessments/${assessment.name}`)).data.status).toBe('Cancelled');
    expect((await byService()).every(({ amount }) => amount === 0)).toBe(true);
  });
});

describe('agencies', () => {
  it('hear of each refund of theirs once, with its lines, after they heard of the payment', async () => {
    const { intent, assessment } = await createConfirmed(rail, actor);
    await notifyAgencies(rail);
    const first = await done(intent, { lines: [{ idx: 1, amount: 50_000 }] });
    const second = await done(intent, { lines: [{ idx: 1, amount: 20_000 }] });
    await notifyAgencies(rail);
    await notifyAgencies(rail);
    const rows = await rail.rows<{ refund: string; status: string }>(sql`
      select refund, status from propagation where assessment = ${assessment} and kind = 'reversal' order by refund`);
    expect(rows).toEqual([first, second].map(({ name }) => ({ refund: name, status: 'done' })));
  });
});

describe('GET /v1/refunds', () => {
  it('200: filters by payment, agency, status and reason; another account sees none', async () => {
    const { intent } = await createConfirmed(rail, actor);
    const { name } = (await ask(finance, intent, { lines: [{ idx: 2 }], reason_code: 'court_order' })).data;
    const list = async (by: Pick<Actor, 'ask'>, query: string) =>
      ((await by.ask(`/v1/refunds?${query}`)).data as { name: string }[]).map((row) => row.name);
    for (const query of [`intent=${intent}`, `intent=${intent}&mda=URSB`, `intent=${intent}&status=Approved`])
      expect(await list(actor, query)).toEqual([name]);
    expect(await list(actor, `intent=${intent}&mda=URA`)).toEqual([]);
    expect(await list(actor, `intent=${intent}&reason_code=duplicate`)).toEqual([]);
    expect(await list(plain, `intent=${intent}`)).toEqual([]);
    expect((await plain.ask(`/v1/refunds/${name}`)).status).toBe(404);
  });
});
