import { beforeAll, describe, expect, it } from 'vitest';
import { readPayload } from '../../src/collection/receipts/payload.ts';
import { sql } from '../../src/platform/database/sql.ts';
import {
  type Actor,
  createAssessedFor,
  createPendingFor,
  makeActor,
  serviceNamed,
  someCitizen,
} from '../harness/flow.ts';
import { hold, startOutsideRail } from '../harness/outside.ts';
import { type StaffActor, makeStaff } from '../harness/people/staff.ts';
import { type Sink, openSink } from '../harness/sink.ts';

const held = startOutsideRail(
  { JOBS: 'on', WEBHOOK_ALLOW_PRIVATE: 'on' },
  { breaker_failures: 50, breaker_rest_ms: 100, timeout_ms: 30_000 },
);
const { rail } = held;

let admin: StaffActor;

beforeAll(async () => {
  admin = await makeStaff(rail, 'admin');
});

interface Row {
  readonly name: string;
  readonly kind: string;
  readonly status: string;
  readonly attempts: number;
  readonly receipt: string | null;
  readonly maybe_told: boolean;
  readonly last_error: string | null;
}

async function rows(assessment: string): Promise<Row[]> {
  const { data } = await admin.ask(`/v1/ops/propagations?assessment=${assessment}`);
  return (data as Row[]).toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Waits until an agency was notified of the payment and of its reversal. */
async function expectBothNotified(assessment: string): Promise<void> {
  await expect
    .poll(async () => (await rows(assessment)).map(({ kind, status }) => [kind, status]))
    .toEqual([
      ['payment', 'done'],
      ['reversal', 'done'],
    ]);
}

/** Pays for a service without an aggregator: what is looked at here is what follows. */
async function paid(code: string, actor?: Actor): Promise<{ actor: Actor; assessment: string; amount: number }> {
  const payer = actor ?? (await makeActor(rail));
  const { assessment, amount } = await createAssessedFor(rail, payer, code);
  const intent = await createPendingFor(payer, assessment, 'cash');
  await payer.post(`/v1/payment-intents/${intent}:initiate`);
  expect((await payer.post(`/v1/payment-intents/${intent}:confirm`)).status).toBe(200);
  return { actor: payer, assessment, amount };
}

async function listening(): Promise<{ actor: Actor; sink: Sink; typesOf: (name: string) => string[] }> {
  const sink = await openSink();
  const actor = await makeActor(rail);
  await actor.post('/v1/me', { webhook_endpoint: sink.url });
  const typesOf = (name: string) =>
    sink.received.filter(({ json }) => json.data.object.name === name).map(({ json }) => json.type);
  return { actor, sink, typesOf };
}

const agency = (kind: string) => held.outside.agencies[kind]!;

/** Keys under which an agency was told of an assessment, in order. */
const noticeKeys = (kind: string, assessment: string) =>
  [...agency(kind).notices.keys()].filter((key) => key.startsWith(assessment));

const hurry = (assessment: string) =>
  rail.rows(
    sql`update propagation set next_attempt_at = now() where assessment = ${assessment} and status = 'pending'`,
  );

async function retryAll(code: string): Promise<unknown> {
  const query = `mutation { retryPropagations(agency: "${code}", reason: "It is up") { retried cancelled remaining } }`;
  return (await admin.post('/graphql', { query }, { origin: rail.origin })).json.data.retryPropagations;
}

const cancel = async (assessment: string) =>
  expect((await admin.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Entered twice' })).status).toBe(200);

describe('the reversal of a payment', () => {
  it('is told to the agency that was told of the payment, with a receipt of its own, and that to the integrator', async () => {
    const { actor, sink, typesOf } = await listening();
    const { assessment, amount } = await paid('URA-PAYE', actor);
    await expect.poll(async () => (await rows(assessment))[0]?.status).toBe('done');
    const { notices } = agency('tax authority');
    const { receipt } = notices.get(`${assessment}:URA`)!;
    await cancel(assessment);
    await expect
      .poll(() => notices.get(`${assessment}:URA:reversal`)?.notice)
      .toMatchObject({
        type: 'reversed',
        amount: -amount,
        receipt_number: receipt,
        reason: 'Entered twice',
        lines: [{ amount: -amount }],
      });
    await expect
      .poll(async () => (await rows(assessment))[1])
      .toMatchObject({
        name: `${assessment}.URA.reversal`,
        kind: 'reversal',
        status: 'done',
        attempts: 1,
        receipt: notices.get(`${assessment}:URA:reversal`)!.receipt,
      });
    expect((await rows(assessment))[0]).toMatchObject({ kind: 'payment', status: 'done', receipt });
    await expect.poll(() => typesOf(assessment)).toContain('assessment.propagation_reversed');
    expect(typesOf(assessment)).toEqual([
      'assessment.paid',
      'assessment.propagated',
      'assessment.cancelled',
      'assessment.propagation_reversed',
    ]);
    const message = sink.received.find(({ json }) => json.type === 'assessment.propagation_reversed')!;
    expect(message.json.data.object).toMatchObject({
      status: 'Cancelled',
      propagated_to: ['URA'],
      reversal_propagated_to: ['URA'],
    });
    await sink.close();
  });

  it('is tried again like any notice, and by operators once that is over', async () => {
    const { assessment } = await paid('KCCA-TRADELIC');
    await expect.poll(async () => (await rows(assessment))[0]?.status).toBe('done');
    const { trouble } = agency('city authority');
    trouble.down = 'refusing';
    await cancel(assessment);
    await expect.poll(async () => (await rows(assessment))[1]?.attempts).toBe(1);
    const { name } = (await rows(assessment))[1]!;
    await rail.rows(sql`update propagation set status = 'dead', next_attempt_at = null where name = ${name}`);
    trouble.down = 'no';
    expect((await admin.post(`/v1/ops/propagations/${name}:retry`)).data).toMatchObject({ status: 'pending' });
    await expect.poll(() => noticeKeys('city authority', assessment)).toContain(`${assessment}:KCCA:reversal`);
  });

  it('is told to nobody where the agency was not told of the payment, for sure', async () => {
    const { trouble } = agency('standards body');
    const [service] = await rail.rows<{ code: string }>(
      sql`select s.code from service s join mda m on m.name = s.mda where m.mda_type = 'standards_body' and s.status = 'Active' limit 1`,
    );
    // It answers that it does not take the notice.
    trouble.down = 'rejecting';
    const { assessment } = await paid(service!.code);
    await expect.poll(async () => (await rows(assessment))[0]?.attempts).toBe(1);
    await cancel(assessment);
    trouble.down = 'no';
    await hurry(assessment);
    await expect
      .poll(async () => (await rows(assessment))[0])
      .toMatchObject({
        status: 'dead',
        maybe_told: false,
        last_error: 'The assessment is Cancelled',
      });
    expect(await rows(assessment)).toHaveLength(1);
    expect(noticeKeys('standards body', assessment)).toEqual([]);
    expect(await retryAll('UNBS')).toEqual({ retried: 0, cancelled: 1, remaining: 0 });
  });

  it('follows the payment where that may have been told although no answer came: both, in order', async () => {
    const { trouble } = agency('social security fund');
    trouble.down = 'cutting';
    const { assessment } = await paid('NSSF-CONTRIB');
    await expect.poll(async () => (await rows(assessment))[0]).toMatchObject({ attempts: 1, maybe_told: true });
    await cancel(assessment);
    expect(await rows(assessment)).toHaveLength(1);
    trouble.down = 'no';
    await hurry(assessment);
    await expectBothNotified(assessment);
    expect(noticeKeys('social security fund', assessment)).toEqual([
      `${assessment}:NSSF`,
      `${assessment}:NSSF:reversal`,
    ]);
  });

  it('follows the payment that was given up although it may have been told: both, in order', async () => {
    const { trouble } = agency('social security fund');
    trouble.down = 'cutting';
    const { assessment } = await paid('NSSF-CONTRIB');
    await expect.poll(async () => (await rows(assessment))[0]).toMatchObject({ attempts: 1, maybe_told: true });
    const giveUp = () =>
      rail.rows(
        sql`update propagation set status = 'dead', attempts = 8, next_attempt_at = null where assessment = ${assessment}`,
      );
    await giveUp();
    const query = `{ assessmentCancellation(id: "${assessment}") { notified { id } } }`;
    const { data } = (await admin.post('/graphql', { query })).json;
    expect(data.assessmentCancellation.notified).toEqual([{ id: 'NSSF' }]);
    await cancel(assessment);
    expect(await rows(assessment)).toMatchObject([{ kind: 'payment', status: 'pending', maybe_told: true }]);
    await expect.poll(async () => (await rows(assessment))[0]).toMatchObject({ attempts: 1 });
    await giveUp();
    trouble.down = 'no';
    expect(await retryAll('NSSF')).toEqual({ retried: 1, cancelled: 0, remaining: 0 });
    await expectBothNotified(assessment);
    expect(noticeKeys('social security fund', assessment)).toEqual([
      `${assessment}:NSSF`,
      `${assessment}:NSSF:reversal`,
    ]);
  });

  it('follows the payment that the agency rejected, and then accepted after all', async () => {
    const { assessment } = await paid('URA-PAYE');
    await expect.poll(async () => (await rows(assessment))[0]?.status).toBe('done');
    const { trouble, send } = agency('tax authority');
    trouble.down = 'refusing';
    await cancel(assessment);
    await expect.poll(async () => (await rows(assessment))[1]?.attempts).toBe(1);
    await send({ type: 'notice.rejected', object: `${assessment}.URA`, data: { reason: 'The account is closed' } });
    expect(await rows(assessment)).toMatchObject([{ status: 'rejected' }, { status: 'dead' }]);
    trouble.down = 'no';
    await send({ type: 'receipt.issued', object: `${assessment}.URA`, data: { receipt_number: 'RCPT-1' } });
    await expectBothNotified(assessment);
    expect(noticeKeys('tax authority', assessment)).toContain(`${assessment}:URA:reversal`);
  });

  it('follows the payment that is being told at the very moment of the cancellation', async () => {
    const { letGo } = hold(agency('tax authority').trouble);
    const { assessment } = await paid('URA-TCC');
    await expect
      .poll(() =>
        rail.count(sql`select 1 from propagation where assessment = ${assessment} and claimed_until is not null`),
      )
      .toBe(1);
    await cancel(assessment);
    letGo();
    await expectBothNotified(assessment);
    expect(noticeKeys('tax authority', assessment)).toEqual([`${assessment}:URA`, `${assessment}:URA:reversal`]);
  });

  it('follows the payment whose telling ended with its process', async () => {
    const { assessment } = await paid('URA-PAYE');
    await expect.poll(async () => (await rows(assessment))[0]?.status).toBe('done');
    await rail.rows(sql`
      update propagation set status = 'pending', done_at = null, attempts = 0, receipt = null,
        claimed_until = now() - interval '1 second', next_attempt_at = now() + interval '1 hour'
      where name = ${`${assessment}.URA`}`);
    await cancel(assessment);
    await hurry(assessment);
    await expectBothNotified(assessment);
  });
});

describe('a payment with splits of its own', () => {
  it('is told to the agencies that it paid, with what each of them got, and so is its reversal', async () => {
    const actor = await makeActor(rail);
    const { plaintext: key } = await rail.key('assessments.write', 'payments.initiate', 'payments.split');
    await rail.rows(sql`update api_key set integrator = ${actor.integrator} where hash = sha256(${key}::bytea)`);
    const lines = await Promise.all(
      ['URA-PAYE', 'NSSF-CONTRIB'].map(async (code) => ({ service: await serviceNamed(rail, code) })),
    );
    const { data } = await actor.post('/v1/assessments', { citizen: await someCitizen(rail), lines });
    const { name: assessment, total_amount: total } = (await actor.post(`/v1/assessments/${data.name}:assess`)).data;
    const splits = [
      { mda: 'KCCA', amount: total - 1_000 },
      { mda: 'URA', amount: 1_000 },
    ];
    const post = (path: string, body: object = {}) => rail.ask(path, { key, body });
    const made = await post('/v1/payment-intents', { assessment, channel: 'cash', splits });
    await post(`/v1/payment-intents/${made.data.name}:initiate`);
    const { events } = (await post(`/v1/payment-intents/${made.data.name}:confirm`)).data;
    const paidTo = (records: { mda: string; amount: number }[]) => records.map(({ mda, amount }) => ({ mda, amount }));
    expect(paidTo(events)).toEqual(splits);
    await expect.poll(async () => (await rows(assessment)).map(({ status }) => status)).toEqual(['done', 'done']);
    const [city, tax] = ['city authority', 'tax authority'].map((kind) => agency(kind).notices);
    expect(city!.get(`${assessment}:KCCA`)?.notice).toMatchObject({ amount: total - 1_000, lines: [] });
    expect(tax!.get(`${assessment}:URA`)?.notice).toMatchObject({ amount: 1_000, lines: [{ quantity: 1 }] });
    const [receipt] = await rail.rows<{ payload: string }>(
      sql`select payload from receipt where assessment = ${assessment}`,
    );
    expect(
      paidTo(readPayload(receipt!.payload)!.agencies.map((one) => ({ ...one, amount: one.amount.toNumber() }))),
    ).toEqual(splits);
    await cancel(assessment);
    await expect.poll(() => city!.get(`${assessment}:KCCA:reversal`)?.notice.amount).toBe(1_000 - total);
    await expect.poll(() => tax!.get(`${assessment}:URA:reversal`)?.notice.amount).toBe(-1_000);
    expect(noticeKeys('social security fund', assessment)).toEqual([]);
  });
});

describe('an agency that tells by itself', () => {
  /** Pays for so many of a service, by which the simulators know what to do. */
  async function paidFor(quantity: number) {
    const { actor, sink, typesOf } = await listening();
    const lines = [{ service: await serviceNamed(rail, 'URA-PAYE'), quantity }];
    const made = await actor.post('/v1/assessments', { citizen: await someCitizen(rail), lines });
    const { name: assessment } = (await actor.post(`/v1/assessments/${made.data.name}:assess`)).data;
    const intent = await createPendingFor(actor, assessment, 'cash');
    await actor.post(`/v1/payment-intents/${intent}:initiate`);
    await actor.post(`/v1/payment-intents/${intent}:confirm`);
    return { actor, assessment, typesOf, close: () => sink.close() };
  }

  it('sends its receipt later than its answer', async () => {
    const { assessment, typesOf, close } = await paidFor(2);
    await expect.poll(async () => (await rows(assessment))[0]?.receipt ?? '').toMatch(/^RCPT-/);
    await expect.poll(() => typesOf(assessment)).toContain('assessment.receipt_issued');
    expect(typesOf(assessment)).toContain('assessment.propagated');
    await close();
  });

  it('rejects what it took, and is told anew, as of something new', async () => {
    const { assessment, typesOf, close } = await paidFor(3);
    await expect.poll(async () => (await rows(assessment))[0]?.status).toBe('rejected');
    await expect.poll(() => typesOf(assessment)).toContain('assessment.propagation_rejected');
    expect((await admin.post(`/v1/ops/propagations/${assessment}.URA:retry`)).status).toBe(200);
    await expect.poll(() => noticeKeys('tax authority', assessment)).toHaveLength(2);
    expect(noticeKeys('tax authority', assessment)).toEqual([`${assessment}:URA`, `${assessment}:URA:1`]);
    await close();
  });

  it('says that a bill changed', async () => {
    const actor = await makeActor(rail);
    const { assessment } = await createAssessedFor(rail, actor, 'URA-PAYE');
    const data = { lines: [{ service: 'URA-PAYE', amount: 1_000 }] };
    await agency('tax authority').send({ type: 'bill.changed', object: assessment, data });
    const flagged = sql`select 1 from anomaly where kind = 'bill_changed' and subject = ${assessment}`;
    expect(await rail.count(flagged)).toBe(1);
  });
});
