import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawNumber } from '../../../src/collection/references/number.ts';
import { raw, sql } from '../../../src/platform/database/sql.ts';
import {
  type Actor,
  createAssessed,
  createAssessedFor,
  createInitiated,
  createPendingFor,
  makeActor,
  someCitizen,
} from '../../harness/flow.ts';
import { type PaymentReport, makePoint } from '../../harness/people/biller.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const bank = makePoint(rail);
const AMOUNT = 450_000;

let actor: Actor;

beforeAll(async () => {
  actor = await makeActor(rail);
});

interface Issued {
  readonly assessment: string;
  readonly number: string;
  readonly amount: number;
}

async function issue(code = 'URA-PAYE', days = 21): Promise<Issued> {
  const { assessment, amount } = await createAssessedFor(rail, actor, code);
  const { data } = await actor.post(`/v1/assessments/${assessment}:issue-reference`, { expires_in_days: days });
  return { assessment, amount, number: data.number };
}

const payAsOwed = ({ number, amount }: Issued, more: object = {}) => bank.pay({ reference: number, amount, ...more });
const cancel = (assessment: string) => actor.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Test' });
/** Tests move the clock, beyond which no session lasts. */
const operator = () => makeStaff(rail, 'admin');
const moneyOf = async (query: string, by?: StaffActor) =>
  (await (by ?? (await operator())).ask(`/v1/ops/money-received?${query}`)).data as Record<string, unknown>[];
const anomaliesOf = async (kind: string, subject: string) =>
  (
    (await (await operator()).ask(`/v1/ops/anomalies?kind=${kind}&limit=200`)).data as {
      subject: string;
      mdas: string[];
    }[]
  ).filter((one) => one.subject === subject);
const statusOf = async (assessment: string) => (await actor.ask(`/v1/assessments/${assessment}`)).data.status;
const hoursFromNow = (hours: number) => new Date(rail.rail.now().getTime() + hours * 3_600_000).toISOString();

describe('POST /v1/billers/{provider}/lookup', () => {
  it('200: tells what is to be paid, to whom, and the initials of who owes it', async () => {
    const assessment = await createAssessed(rail, actor);
    const { number } = (await actor.post(`/v1/assessments/${assessment}:issue-reference`)).data;
    const { status, data } = await bank.lookUp(number);
    expect(status).toBe(200);
    expect(data).toEqual({
      state: 'payable',
      amount: 585_000,
      currency: 'UGX',
      agencies: ['URA', 'URSB'].map((name) => ({ name, mda_name: expect.any(String) })),
      payer_initials: expect.stringMatching(/^\p{Lu}{1,4}$/u),
    });
  });

  it('200: tells each state, and nothing of what it does not know', async () => {
    const [paid, withdrawn, expired] = [await issue(), await issue(), await issue('URA-PAYE', 1)];
    await payAsOwed(paid);
    await cancel(withdrawn.assessment);
    expect((await bank.lookUp(paid.number)).data.state).toBe('paid');
    expect((await bank.lookUp(withdrawn.number)).data.state).toBe('withdrawn');
    rail.advance(25);
    expect((await bank.lookUp(expired.number)).data).toMatchObject({ state: 'expired', amount: AMOUNT });
    for (const wrong of [drawNumber(), '123', `${paid.number}0`, '٤٨٢٠٩١٧٣٦٥١٨٣'])
      expect((await bank.lookUp(wrong)).data).toEqual({
        state: 'unknown',
        amount: null,
        currency: null,
        agencies: [],
        payer_initials: null,
      });
  });

  it('422: 10 KB for a reference, or none; 400: no JSON; 404: a payment point that is not there', async () => {
    expect((await bank.lookUp('7'.repeat(10_240))).status).toBe(422);
    for (const wrong of [null, 7, '']) expect((await bank.lookUp(wrong)).status).toBe(422);
    expect((await bank.send('lookup', 'reference')).status).toBe(400);
    expect((await makePoint(rail, 'nobody').lookUp(drawNumber())).status).toBe(404);
  });
});

describe('POST /v1/billers/{provider}/payments', () => {
  it('200: the exact amount pays, as one intent that is made and confirmed at once', async () => {
    const one = await issue();
    const { data } = await payAsOwed(one, { channel: 'ussd', txn_id: 'T-1' });
    expect(data).toMatchObject({ decision: 'confirmed', intent: expect.stringMatching(/^PI-/) });
    expect(data).not.toHaveProperty('object');
    expect((await actor.ask(`/v1/payment-intents/${data.intent}`)).data).toMatchObject({
      status: 'Confirmed',
      channel: 'ussd',
      aggregator: 'bank',
      aggregator_reference: 'T-1',
      amount: one.amount,
      splits: [{ mda: 'URA', amount: one.amount }],
    });
    expect((await actor.ask(`/v1/payment-events?intent=${data.intent}`)).data).toMatchObject([
      { mda: 'URA', amount: one.amount, txn_id: 'T-1', channel: 'ussd', kind: 'payment', proof: 'simulated' },
    ]);
    expect(await statusOf(one.assessment)).toBe('Paid');
    expect(
      await rail.rows(sql`select type from outbox where object = any(${[data.intent, one.assessment]}) order by type`),
    ).toEqual([{ type: 'assessment.paid' }, { type: 'payment_intent.confirmed' }]);
    const { timeline } = (await actor.ask(`/v1/payment-intents/${data.intent}/trace`)).data;
    expect(timeline.map(({ summary }: { summary: string }) => summary)).toEqual(
      expect.arrayContaining([
        'Pending intent created',
        'bank reported SUCCESSFUL',
        'Sent → Confirmed',
        'Assessed → Paid',
      ]),
    );
    expect(await rail.count(sql`select from propagation where assessment = ${one.assessment}`)).toBeGreaterThan(0);
    expect(await moneyOf(`assessment=${one.assessment}`)).toEqual([]);
  });

  it('200: anything else is money that arrived, with its kind, and an anomaly of the agencies', async () => {
    const late = await issue('URA-PAYE', 1);
    const [over, short, wrong, withdrawn, paid] = [
      await issue(),
      await issue(),
      await issue(),
      await issue(),
      await issue(),
    ];
    rail.advance(25);
    await cancel(withdrawn.assessment);
    await payAsOwed(paid);
    const unknown = { assessment: null, number: drawNumber(), amount: 5 };
    const reports = {
      late: { ...late },
      over: { ...over, amount: over.amount + 1 },
      short: { ...short, amount: 1 },
      wrong_currency: { ...wrong, currency: 'KES' },
      withdrawn: { ...withdrawn },
      already_paid: { ...paid },
      unknown_reference: unknown,
    };
    for (const [kind, { assessment, number, ...rest }] of Object.entries(reports)) {
      const { status, data } = await bank.pay({ reference: number, ...rest });
      expect([status, data], kind).toEqual([
        200,
        { decision: kind, intent: null, object: expect.stringMatching(/^MON-/) },
      ]);
      const [row] = (await moneyOf(`kind=${kind}`)).filter(({ name }) => name === data.object);
      expect(row, kind).toMatchObject({
        provider: 'bank',
        kind,
        channel: 'bank',
        reference: number,
        assessment,
        intent: null,
      });
      expect(await anomaliesOf('money_unmatched', data.object)).toMatchObject([
        { mdas: assessment === null ? [] : ['URA'] },
      ]);
    }
    for (const { assessment } of [late, over, short, wrong]) expect(await statusOf(assessment)).toBe('Assessed');
    // The reference can still be paid by its exact amount.
    expect((await payAsOwed(over)).data.decision).toBe('confirmed');
  });

  it('200: paid in the last second, told the next day; and a second later, late', async () => {
    const one = await issue('URA-PAYE', 1);
    const { expires_at } = (await actor.ask(`/v1/payment-references/${one.number}`)).data;
    const after = new Date(Date.parse(expires_at) + 1_000).toISOString();
    rail.advance(48);
    expect((await payAsOwed(one, { paid_at: after })).data.decision).toBe('late');
    expect((await payAsOwed(one, { paid_at: expires_at })).data.decision).toBe('confirmed');
  });

  it('200: paid in time, told once another number was issued: the first is Paid, the other Withdrawn', async () => {
    const one = await issue('URA-PAYE', 1);
    const inTime = hoursFromNow(23);
    rail.advance(25);
    const { number: other } = (await actor.post(`/v1/assessments/${one.assessment}:issue-reference`)).data;
    expect((await payAsOwed(one)).data.decision).toBe('withdrawn');
    const report = { txn_id: randomUUID(), paid_at: inTime };
    const paid = await payAsOwed(one, report);
    expect(paid.data.decision).toBe('confirmed');
    expect((await payAsOwed(one, report)).text).toBe(paid.text);
    expect(await statusOf(one.assessment)).toBe('Paid');
    const numbers = await rail.rows(sql`
      select number, status, paid_by from payment_reference where assessment = ${one.assessment} order by created_at`);
    expect(numbers).toEqual([
      { number: one.number, status: 'Paid', paid_by: paid.data.intent },
      { number: other, status: 'Withdrawn', paid_by: null },
    ]);
    expect((await payAsOwed({ ...one, number: other })).data.decision).toBe('withdrawn');
    const cancelled = await issue('URA-PAYE', 1);
    const before = hoursFromNow(23);
    rail.advance(25);
    await cancel(cancelled.assessment);
    expect((await payAsOwed(cancelled, { paid_at: before })).data.decision).toBe('withdrawn');
  });

  it('200: of any moment: before its number was issued, in 1970, or by a clock that is ahead', async () => {
    for (const paid_at of [hoursFromNow(-1), '1970-01-01T00:00:00Z', hoursFromNow(1), hoursFromNow(24 * 30)]) {
      const one = await issue();
      expect([(await payAsOwed(one, { paid_at })).data.decision, paid_at]).toEqual(['confirmed', paid_at]);
      const unknown = { reference: drawNumber(), amount: 1, paid_at };
      expect((await bank.pay(unknown)).data.decision).toBe('unknown_reference');
    }
  });

  it.each<[string, (report: PaymentReport, other: Issued) => Partial<PaymentReport>, boolean]>([
    [
      'another payment',
      (_told, other) => ({ txn_id: randomUUID(), reference: other.number, amount: other.amount }),
      true,
    ],
    ['another transaction', () => ({ txn_id: randomUUID() }), true],
    ['a transaction of an unknown reference', () => ({ txn_id: randomUUID(), reference: drawNumber() }), true],
    ['another amount', ({ amount }) => ({ amount: amount - 1 }), false],
    ['another currency', () => ({ currency: 'KES' }), false],
    ['another reference', (_told, other) => ({ reference: other.number }), false],
  ])(
    '422: %s under the ID of an event is booked where it is money, and flagged once',
    async (_name, differ, isMoney) => {
      const [one, other] = [await issue(), await issue()];
      const report: PaymentReport = {
        event_id: randomUUID(),
        reference: one.number,
        amount: one.amount,
        currency: 'UGX',
        txn_id: randomUUID(),
        paid_at: hoursFromNow(0),
      };
      const first = await bank.pay(report);
      const flags = () =>
        rail.rows(sql`
        select evidence->>'txn_id' as txn from anomaly
        where kind = 'event_reused' and subject like ${`bank:${report.event_id}:%`} order by name`);
      const reused = { ...report, ...differ(report, other) };
      for (let times = 0; times < 2; times++) {
        const answer = await bank.pay(reused);
        expect([answer.status, answer.json.error?.details[0].code]).toEqual([422, 'event_reused']);
        expect((await bank.pay(report)).text).toBe(first.text);
      }
      const money = await rail.rows(
        sql`select kind, amount::float8 as amount from money_received where txn_id = ${reused.txn_id}`,
      );
      expect(money).toEqual(isMoney ? [{ kind: 'event_reused', amount: reused.amount }] : []);
      expect(await flags()).toEqual([{ txn: reused.txn_id }]);
      expect([await statusOf(one.assessment), await statusOf(other.assessment)]).toEqual(['Paid', 'Assessed']);
      const second = { ...reused, txn_id: randomUUID(), amount: 7 };
      expect((await bank.pay(second)).status).toBe(422);
      expect(await flags()).toEqual([{ txn: reused.txn_id }, { txn: second.txn_id }]);
      // Under an ID of its own it is answered by what became of it.
      expect((await bank.pay({ ...second, event_id: randomUUID() })).data.decision).toBe('event_reused');
      expect(await flags()).toHaveLength(2);
    },
  );

  it('200: what a check of the rail refuses is booked, and flagged', async () => {
    const one = await issue();
    await rail.rail.transaction(async (db) => {
      await db.rows(sql`set local session_replication_role = replica`);
      await db.rows(sql`
        update assessment_line set rate = rate + 1, amount = amount + quantity where assessment = ${one.assessment}`);
    });
    const report = { txn_id: randomUUID() };
    const answer = await payAsOwed(one, report);
    expect(answer).toMatchObject({ status: 200, data: { decision: 'unapplied', intent: null } });
    expect((await payAsOwed(one, report)).text).toBe(answer.text);
    expect(await moneyOf(`assessment=${one.assessment}`)).toMatchObject([
      { name: answer.data.object, kind: 'unapplied', amount: one.amount, reference: one.number },
    ]);
    expect(await anomaliesOf('money_unmatched', answer.data.object)).toHaveLength(1);
    expect(rail.logged.join()).toContain('do not equal its amount');
  });

  it('200: looked up payable, cancelled, then paid', async () => {
    const one = await issue();
    expect((await bank.lookUp(one.number)).data.state).toBe('payable');
    await cancel(one.assessment);
    expect((await payAsOwed(one)).data.decision).toBe('withdrawn');
    expect(await rail.count(sql`select from payment_event where assessment = ${one.assessment}`)).toBe(0);
  });

  it.each([
    ['Paid', 'paid_at', 'paid', 'already_paid'],
    ['Cancelled', 'cancelled_at', 'withdrawn', 'withdrawn'],
  ])('200: an assessment that is %s decides, not a reference that is Issued', async (status, at, state, decision) => {
    const one = await issue();
    await rail.rail.transaction(async (db) => {
      await db.rows(sql`set local session_replication_role = replica`);
      await db.rows(sql`
        update assessment set status = ${status}::assessment_status, ${raw(at)} = now() where name = ${one.assessment}`);
    });
    expect((await bank.lookUp(one.number)).data.state).toBe(state);
    expect((await payAsOwed(one)).data.decision).toBe(decision);
  });

  it('200: a repetition, by its event or its bytes or its transaction, gets the first decision', async () => {
    const one = await issue();
    const body = {
      event_id: randomUUID(),
      reference: one.number,
      amount: one.amount,
      currency: 'UGX',
      txn_id: 'T-2',
      paid_at: hoursFromNow(0),
    };
    const first = await bank.send('payments', body);
    expect(first.data.decision).toBe('confirmed');
    for (const again of [body, { ...body, channel: 'ussd' }, { ...body, event_id: randomUUID() }])
      expect(await bank.send('payments', again)).toMatchObject({ status: 200, text: first.text });
    const short = await payAsOwed({ ...one, amount: 7 }, { txn_id: 'T-3' });
    expect((await payAsOwed({ ...one, amount: 7 }, { txn_id: 'T-3' })).text).toBe(short.text);
  });

  it('422: a transaction that was told with another amount, currency or reference; its decision stays', async () => {
    const [one, other] = [await issue(), await issue()];
    await payAsOwed(one, { txn_id: 'T-4' });
    await payAsOwed({ ...other, amount: 1 }, { txn_id: 'T-5' });
    for (const txn_id of ['T-4', 'T-5']) {
      expect((await payAsOwed(one, { txn_id, amount: 2 })).status).toBe(422);
      expect((await payAsOwed(one, { txn_id, currency: 'KES' })).status).toBe(422);
      expect((await payAsOwed({ ...other, number: drawNumber() }, { txn_id })).status).toBe(422);
    }
    expect((await payAsOwed(other, { txn_id: 'T-5' })).status).toBe(422);
    expect(await statusOf(other.assessment)).toBe('Assessed');
  });

  it('422: no moment, and decimals, currencies and channels that there are not', async () => {
    const one = await issue();
    for (const wrong of [
      { paid_at: 'yesterday' },
      { amount: 1.5 },
      { amount: 0 },
      { amount: -1 },
      { amount: 1e15 + 0.5 },
      { currency: 'XXQ' },
      { channel: 'card' },
      { txn_id: '' },
    ])
      expect([(await payAsOwed(one, wrong)).status, wrong]).toEqual([422, wrong]);
    expect((await payAsOwed(one)).data.decision).toBe('confirmed');
  });

  it('200: of 50 equal ones at once one pays, and all are answered alike', async () => {
    const one = await issue();
    const report = { event_id: randomUUID(), txn_id: randomUUID(), paid_at: hoursFromNow(0) };
    const answers = await Promise.all(Array.from({ length: 50 }, () => payAsOwed(one, report)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]!.data.decision).toBe('confirmed');
    expect(await rail.count(sql`select from payment_event where assessment = ${one.assessment}`)).toBe(1);
    expect(await moneyOf(`assessment=${one.assessment}`)).toEqual([]);
  });

  it('200: of two payments at once one pays, and the other arrived; of one transaction told twice differently one counts', async () => {
    const one = await issue();
    const two = await Promise.all([payAsOwed(one), payAsOwed(one)]);
    expect(new Set(two.map(({ data }) => data.decision))).toEqual(new Set(['already_paid', 'confirmed']));
    for (let round = 0; round < 5; round++) {
      const other = await issue();
      const txn_id = randomUUID();
      const answers = await Promise.all([payAsOwed(other, { txn_id }), payAsOwed(other, { txn_id, amount: 1 })]);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]));
    }
  });

  it('200: while a card payment is open; what that collects then is a duplicate, in events alone', async () => {
    const one = await issue();
    const intent = await createPendingFor(actor, one.assessment);
    await createInitiated(actor, intent);
    expect((await payAsOwed(one)).data.decision).toBe('confirmed');
    await actor.post(`/v1/payment-intents/${intent}:confirm`);
    expect(await anomaliesOf('duplicate_collection', intent)).toHaveLength(1);
    expect(await rail.count(sql`select from payment_event where assessment = ${one.assessment}`)).toBe(2);
    expect(await moneyOf(`assessment=${one.assessment}`)).toEqual([]);
  });
});

describe('money that an aggregator collected otherwise than asked', () => {
  it('is booked once by its transaction, and not at all without one', async () => {
    const { assessment } = await createAssessedFor(rail, actor, 'URA-PAYE');
    const intent = await createPendingFor(actor, assessment);
    await createInitiated(actor, intent);
    const report = (more: object) =>
      rail.ask('/v1/webhooks/mtn_momo', {
        body: { event_id: randomUUID(), intent, status: 'SUCCESSFUL', amount: 5, currency: 'UGX', ...more },
      });
    expect((await report({})).data.decision).toBe('amount_mismatch');
    expect(await moneyOf(`assessment=${assessment}`)).toEqual([]);
    for (let times = 0; times < 2; times++) await report({ txn_id: 'MTN-1' });
    await report({ txn_id: 'MTN-2', currency: 'KES' });
    await report({ txn_id: 'MTN-3', amount: 900_000 });
    const rows = await moneyOf(`assessment=${assessment}`);
    expect(rows.map(({ txn_id, kind }) => `${String(txn_id)} ${String(kind)}`).toSorted()).toEqual([
      'MTN-1 short',
      'MTN-2 wrong_currency',
      'MTN-3 over',
    ]);
    expect(rows[0]).toMatchObject({ provider: 'mtn_momo', channel: 'mtn_momo', reference: null, intent });
  });

  const report = (intent: string, more: object) =>
    rail.ask('/v1/webhooks/mtn_momo', {
      body: { event_id: randomUUID(), intent, status: 'SUCCESSFUL', currency: 'UGX', txn_id: `TXN-${intent}`, ...more },
    });
  const sent = async () => {
    const { assessment, amount } = await createAssessedFor(rail, actor, 'URA-PAYE');
    const intent = await createPendingFor(actor, assessment);
    await createInitiated(actor, intent);
    return { assessment, amount, intent };
  };
  it('is finer than its currency: nothing is confirmed, booked or rounded, and the anomaly has the amount', async () => {
    for (const amount of [0.00001, 449_999.99996, 449_999.5]) {
      const { assessment, intent } = await sent();
      expect((await report(intent, { amount })).data).toMatchObject({ decision: 'amount_mismatch' });
      expect(await moneyOf(`assessment=${assessment}`)).toEqual([]);
      const raised = await rail.rows<{ evidence: { collected_amount: unknown } }>(
        sql`select evidence from anomaly where kind = 'amount_mismatch' and subject = ${intent}`,
      );
      expect(raised.map(({ evidence }) => Number(evidence.collected_amount))).toEqual([amount]);
    }
  });

  it('is listed until the same transaction is confirmed', async () => {
    const { assessment, amount, intent } = await sent();
    expect((await report(intent, { amount: amount - 1 })).data.decision).toBe('amount_mismatch');
    const [money] = await moneyOf(`assessment=${assessment}`);
    expect(money).toMatchObject({ kind: 'short', intent });
    expect((await report(intent, { amount })).data.decision).toBe('confirmed');
    expect(await moneyOf(`assessment=${assessment}`)).toEqual([]);
    const query = `{ node(id: "${String(money!['name'])}") { ... on MoneyReceived { amount } } }`;
    expect((await (await operator()).post('/graphql', { query })).data.node.amount).toBe(amount - 1);
  });

  it('is booked where a check of the rail refuses it, and confirmed once that is mended', async () => {
    const { assessment, amount, intent } = await sent();
    await rail.rows(
      sql`alter table payment_event add constraint broken check (intent <> ${raw(`'${intent}'`)}) not valid`,
    );
    try {
      expect((await report(intent, { amount })).data).toMatchObject({ decision: 'unapplied', intent });
      expect(await moneyOf(`assessment=${assessment}`)).toMatchObject([{ kind: 'unapplied', amount, intent }]);
      expect(await anomaliesOf('money_unmatched', intent)).toMatchObject([
        { mdas: ['URA'], evidence: { provider: 'mtn_momo', kind: 'unapplied' } },
      ]);
      expect((await actor.post(`/v1/payment-intents/${intent}:confirm`)).status).toBe(500);
    } finally {
      await rail.rows(sql`alter table payment_event drop constraint broken`);
    }
    expect((await report(intent, { amount })).data.decision).toBe('confirmed');
    expect(await moneyOf(`assessment=${assessment}`)).toEqual([]);
  });
});

describe('GET /v1/ops/money-received', () => {
  it('200: finance officers see money of their agencies, and none without an assessment; 401, 403: others', async () => {
    const one = await issue();
    const own = (await payAsOwed({ ...one, amount: 3 })).data.object;
    const unknown = (await bank.pay({ reference: drawNumber(), amount: 3 })).data.object;
    const names = async (by: StaffActor) => (await moneyOf('limit=200', by)).map(({ name }) => name);
    const all = await names(await makeStaff(rail, 'finance_officer'));
    expect(all).toEqual(expect.arrayContaining([own, unknown]));
    const bound = await names(await makeStaffOf(rail, ['URA'], 'finance_officer'));
    expect(bound).toContain(own);
    expect(bound).not.toContain(unknown);
    expect(await names(await makeStaffOf(rail, ['KCCA'], 'finance_officer'))).toEqual([]);
    expect((await (await makeStaff(rail, 'clerk')).ask('/v1/ops/money-received')).status).toBe(403);
    expect((await actor.ask('/v1/ops/money-received')).status).toBe(401);
  });

  it('shows over GraphQL what it is about, and is append-only', async () => {
    const one = await issue();
    const { object } = (await payAsOwed({ ...one, amount: 4 })).data;
    const query = `{ moneyReceived(kind: [short], first: 5) { nodes { id assessment { moneyReceived(first: 5) { nodes { id } } } } }
      anomalies(kind: [money_unmatched], first: 5) { nodes { subject { __typename ... on MoneyReceived { id } } } } }`;
    const { data } = await (await operator()).post('/graphql', { query });
    expect(data.moneyReceived.nodes).toContainEqual({
      id: object,
      assessment: { moneyReceived: { nodes: [{ id: object }] } },
    });
    expect(data.anomalies.nodes).toContainEqual({ subject: { __typename: 'MoneyReceived', id: object } });
    await expect(rail.rows(sql`update money_received set amount = 1`)).rejects.toThrow();
    await expect(rail.rows(sql`delete from money_received`)).rejects.toThrow();
  });
});

describe('the book of a payment point', () => {
  it('is its events and its money that arrived after any reports, and so is its statement', async () => {
    const [point, references] = [makePoint(rail), await Promise.all(Array.from({ length: 5 }, () => issue()))];
    const before = await booked();
    let state = 20_261_126;
    const draw = (most: number) => (state = (state * 48_271) % 2_147_483_647) % most;
    const book = new Map<string, number>();
    for (let step = 0; step < 30; step++) {
      const { number, amount } = references[draw(references.length)]!;
      const txn_id = `B-${draw(22)}`;
      const report = {
        reference: draw(6) === 0 ? drawNumber() : number,
        amount: draw(3) === 0 ? amount : amount - draw(3),
        txn_id,
      };
      if (draw(10) === 0) await cancel(references[draw(references.length)]!.assessment);
      const { status } = await point.pay(report);
      if (book.has(txn_id)) expect([200, 422]).toContain(status);
      else expect(status).toBe(200);
      if (!book.has(txn_id)) book.set(txn_id, report.amount);
    }
    const sum = [...book.values()].reduce((all, amount) => all + amount, 0);
    expect((await booked()) - before).toBe(sum);
    const paid = rail.rail.now().toISOString();
    const rows = [...book].map(([txn_id, amount]) => `${txn_id},${amount},UGX,${paid}`);
    const statement = await (
      await operator()
    ).ask('/v1/ops/reconciliation/statements?provider=bank', {
      body: ['txn_id,amount,currency,paid_at', ...rows, ''].join('\n'),
      headers: { 'content-type': 'text/csv' },
    });
    expect(statement.data).toMatchObject({ matched: book.size, missing_here: 0, amount_differs: 0, duplicate: 0 });

    async function booked(): Promise<number> {
      const [row] = await rail.rows<{ sum: number }>(sql`
        select ((select coalesce(sum(e.amount), 0) from payment_event e join payment_intent i on i.name = e.intent
            where i.aggregator = 'bank' and e.kind = 'payment')
          + (select coalesce(sum(amount), 0) from money_received where provider = 'bank'))::int as sum`);
      return row!.sum;
    }
  });
});

describe('a payer', () => {
  it('is known by initials alone to a payment point, in its answers and in the log', async () => {
    const [citizen] = await rail.rows<{ nin: string; phone: string; name: string }>(
      sql`select nin, phone, full_name as name from citizen where name = ${await someCitizen(rail)}`,
    );
    const one = await issue();
    const answers = [
      await bank.lookUp(one.number),
      await payAsOwed({ ...one, amount: 9 }),
      await payAsOwed(one),
      await bank.lookUp(one.number),
      await rail.ask(`/v1/payment-references/${one.number}`),
    ];
    for (const canary of Object.values(citizen!)) {
      for (const { text } of answers) expect(text).not.toContain(canary);
      expect(rail.logged.join('\n')).not.toContain(canary);
    }
  });
});
