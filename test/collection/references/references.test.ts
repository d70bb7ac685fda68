import { beforeAll, describe, expect, it } from 'vitest';
import { drawNumber } from '../../../src/collection/references/number.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import {
  type Actor,
  createAssessed,
  createAssessedFor,
  createInitiated,
  createPendingFor,
  draft,
  makeActor,
} from '../../harness/flow.ts';
import { makeAgency } from '../../harness/people/agency.ts';
import { makePoint } from '../../harness/people/biller.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const DAY_HOURS = 24;

let actor: Actor;
let other: Actor;

beforeAll(async () => {
  actor = await makeActor(rail);
  other = await makeActor(rail);
});

const issue = (assessment: string, body: object = {}, by: Pick<Actor, 'post'> = actor) =>
  by.post(`/v1/assessments/${assessment}:issue-reference`, body);
const get = (number: string, key: string | null = actor.key) => rail.ask(`/v1/payment-references/${number}`, { key });
const statusOf = async (number: string) => (await get(number)).data.status;
const assessed = async (code = 'URA-PAYE') => (await createAssessedFor(rail, actor, code)).assessment;
const issued = async (assessment: string): Promise<string> => (await issue(assessment)).data.number;
const daysLeft = (data: { expires_at: string }) =>
  Math.round((Date.parse(data.expires_at) - rail.rail.now().getTime()) / 86_400_000);

describe('POST /v1/assessments/{name}:issue-reference', () => {
  it('200: issues a number for the total, for 21 days unless asked otherwise, and once', async () => {
    const { assessment, amount } = await createAssessedFor(rail, actor, 'URA-PAYE');
    const { status, data } = await issue(assessment);
    expect(status).toBe(200);
    expect(data).toMatchObject({ amount, currency: 'UGX', status: 'Issued', assessment, paid_by: null });
    expect(data.agencies).toEqual([{ name: 'URA', mda_name: expect.any(String) }]);
    expect(daysLeft(data)).toBe(21);
    expect((await issue(assessment, { expires_in_days: 90 })).data).toEqual(data);
    expect(daysLeft((await issue(await assessed(), { expires_in_days: 90 })).data)).toBe(90);
    expect(
      await rail.rows(sql`select summary from trace_row where assessment = ${assessment} and doc = ${data.number}`),
    ).toEqual([{ summary: ['Payment reference {0} issued', data.number] }]);
  });

  it('200: of many at once, all get the same', async () => {
    const assessment = await assessed();
    const answers = await Promise.all(Array.from({ length: 10 }, () => issue(assessment)));
    expect(new Set(answers.map(({ data }) => data.number)).size).toBe(1);
    expect(await rail.count(sql`select from payment_reference where assessment = ${assessment}`)).toBe(1);
  });

  it('200: the same request under its key again', async () => {
    const assessment = await assessed();
    const headers = { 'idempotency-key': `issue-${assessment}` };
    const path = `/v1/assessments/${assessment}:issue-reference`;
    const first = await actor.post(path, {}, headers);
    expect(await actor.post(path, {}, headers)).toMatchObject({ status: 200, text: first.text });
  });

  it('200: another once its time is over, and the one before is withdrawn', async () => {
    const assessment = await assessed();
    const before = (await issue(assessment, { expires_in_days: 1 })).data.number;
    rail.advance(DAY_HOURS + 1);
    expect(await statusOf(before)).toBe('Expired');
    const after = (await issue(assessment)).data.number;
    expect(after).not.toBe(before);
    expect([await statusOf(before), await statusOf(after)]).toEqual(['Withdrawn', 'Issued']);
  });

  it('422: what is not Assessed, and an expiry of 0 or 91 days', async () => {
    const name = await draft(rail, actor);
    expect(await issue(name)).toMatchObject({
      status: 422,
      json: { error: { details: [{ code: 'reference_not_payable' }] } },
    });
    const assessment = await assessed();
    for (const expires_in_days of [0, 91]) expect((await issue(assessment, { expires_in_days })).status).toBe(422);
    await actor.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Test' });
    expect((await issue(assessment)).json.error.details[0].code).toBe('reference_not_payable');
  });

  it('401, 403, 404: nobody, a key that may not initiate, the assessment of another', async () => {
    const assessment = await assessed();
    const path = `/v1/assessments/${assessment}:issue-reference`;
    const reader = await rail.key('assessments.write', 'payments.read');
    expect((await rail.ask(path, { body: {} })).status).toBe(401);
    expect((await rail.ask(path, { body: {}, key: reader.plaintext })).status).toBe(403);
    expect((await issue(assessment, {}, other)).status).toBe(404);
    expect((await issue('ASMT-2020-01-000001')).status).toBe(404);
  });

  it('200, 403: staff of a counter, and no others', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const officer = await makeStaff(rail, 'finance_officer');
    const assessment = await assessed();
    expect((await issue(assessment, {}, officer)).status).toBe(403);
    expect((await issue(assessment, {}, clerk)).data.status).toBe('Issued');
  });

  it('200, 403, 404: an agency by its token, for what is its own alone', async () => {
    const agency = await makeAgency(rail, 'URA', ['references.issue', 'payments.read']);
    const key = await agency.token();
    const by = { post: (path: string, body: unknown) => rail.ask(path, { key, body }) };
    expect((await issue(await assessed(), {}, by)).data.status).toBe('Issued');
    expect((await issue(await createAssessed(rail, actor), {}, by)).status).toBe(403);
    expect((await issue(await assessed('URSB-COMPANY'), {}, by)).status).toBe(404);
    const without = await (await makeAgency(rail, 'URA', ['payments.read'])).token();
    expect(
      (await rail.ask(`/v1/assessments/${await assessed()}:issue-reference`, { key: without, body: {} })).status,
    ).toBe(403);
  });
});

describe('GET /v1/payment-references/{number}', () => {
  it('200: shows everybody what is to be paid, and what for only to its owner and its agencies', async () => {
    const assessment = await createAssessed(rail, actor);
    const number = await issued(assessment);
    const agency = (await makeAgency(rail, 'URA', ['payments.read'])).token();
    const stranger = (await makeAgency(rail, 'KCCA', ['payments.read'])).token();
    const reader = await rail.key('assessments.read');
    for (const key of [actor.key, await agency]) expect((await get(number, key)).data).toMatchObject({ assessment });
    const grouped = encodeURIComponent(number.replace(/^(.{4})(.{4})/, '$1 $2–'));
    expect((await get(grouped, actor.key)).data).toMatchObject({ number, assessment });
    for (const key of [null, other.key, reader.plaintext, await stranger]) {
      const { data } = await get(number, key);
      expect(data).toMatchObject({ number, status: 'Issued', currency: 'UGX', assessment: null, created_at: null });
      expect(data.agencies.map(({ name }: { name: string }) => name)).toEqual(['URA', 'URSB']);
    }
  });

  it('404: unknown, mistyped and of another rail alike; 429: who guesses, until the minute is over', async () => {
    const number = await issued(await assessed());
    const guesses = [drawNumber(), '123', `${number}0`, '٤٨٢٠٩١٧٣٦٥١٨٣', 'ASMT-2026-11-000001', 'x'.repeat(200)];
    const answers = await Promise.all(guesses.map((guess) => get(encodeURIComponent(guess), null)));
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.error.message}`))).toEqual(
      new Set(['404 The payment reference does not exist']),
    );
    expect((await get(number, null)).status).toBe(200);
    for (let misses = guesses.length; misses < 10; misses++) expect((await get(drawNumber(), null)).status).toBe(404);
    expect(await get(number, null)).toMatchObject({ status: 429, code: 'rate_limited' });
    expect((await get(number)).status).toBe(200);
  });
});

describe('a number as people copy it', () => {
  it.each(['4820 9173 65135', '4820–9173–65135', '\u202a4820917365135\u202c', '４８２０９１７３６５１３５'])(
    'is looked up: like %s',
    async (form) => {
      const number = await issued(await assessed());
      let place = 0;
      const typed = form.replaceAll(/\p{Nd}/gu, (digit) =>
        digit > '9' ? String.fromCodePoint(0xff10 + Number(number[place++])) : number[place++]!,
      );
      expect((await get(encodeURIComponent(typed))).data).toMatchObject({ number });
    },
  );
});

describe('guesses at payment references', () => {
  it('are counted one by one, however many a document or many documents at once make; hits are free', async () => {
    const guesser = await makeActor(rail);
    const number = await issued(await assessed());
    const many = (make: () => string) =>
      `{ ${Array.from({ length: 30 }, (_, index) => `a${index}: paymentReference(number: "${make()}") { status }`).join(' ')} }`;
    const codesOf = async (query: string) => {
      const { json } = await guesser.post('/graphql', { query });
      return (json.errors ?? []).map((error: { extensions: { code: string } }) => error.extensions.code) as string[];
    };
    expect(await codesOf(many(() => number))).toEqual([]);
    const codes = (await Promise.all(Array.from({ length: 5 }, () => codesOf(many(drawNumber))))).flat();
    expect(codes.filter((code) => code === 'not_found')).toHaveLength(10);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(140);
  });
});

describe('a payment reference', () => {
  const pay = {
    'a card': async (assessment: string) => {
      const intent = await createPendingFor(actor, assessment, 'card');
      await actor.post(`/v1/payment-intents/${intent}:initiate`);
      return (await actor.post(`/v1/payment-intents/${intent}:confirm`)).data.intent.name;
    },
    cash: async (assessment: string) => {
      const intent = await createPendingFor(actor, assessment, 'cash');
      await actor.post(`/v1/payment-intents/${intent}:initiate`);
      return (await actor.post(`/v1/payment-intents/${intent}:confirm`)).data.intent.name;
    },
    'its number': async (assessment: string) => {
      const { number, amount } = (await issue(assessment)).data;
      return (await makePoint(rail).pay({ reference: number, amount })).data.intent;
    },
  };

  it.each(Object.entries(pay))(
    'is Paid by %s, even once it has expired, if that way still pays',
    async (way, payBy) => {
      const assessment = await assessed();
      const number = await issued(assessment);
      if (way !== 'its number') rail.advance(22 * DAY_HOURS);
      const intent = await payBy(assessment);
      expect((await get(number)).data).toMatchObject({ status: 'Paid', paid_by: intent });
      const key = actor.key;
      const query = `{ paymentIntent(id: "${intent}") { paymentReference { id paidBy { id } assessment { paymentReferences { nodes { id } } } } } }`;
      expect((await rail.ask('/graphql', { key, body: { query } })).data.paymentIntent.paymentReference).toEqual({
        id: number,
        paidBy: { id: intent },
        assessment: { paymentReferences: { nodes: [{ id: number }] } },
      });
    },
  );

  it('is Withdrawn with its assessment, and a Paid one stays Paid when that is reversed', async () => {
    const open = await assessed();
    const number = await issued(open);
    await actor.post(`/v1/assessments/${open}:cancel`, { reason: 'Test' });
    expect(await statusOf(number)).toBe('Withdrawn');
    const paid = await assessed();
    const kept = await issued(paid);
    await pay['its number'](paid);
    expect((await actor.post(`/v1/assessments/${paid}:cancel`, { reason: 'Test' })).data.status).toBe('Cancelled');
    expect(await statusOf(kept)).toBe('Paid');
  });

  it('is Withdrawn or Paid with its assessment by a writer that knows no references', async () => {
    const cancelled = await assessed();
    const withdrawn = await issued(cancelled);
    await rail.rows(sql`
      update assessment set status = 'Cancelled', cancelled_at = now(), revision = revision + 1 where name = ${cancelled}`);
    expect(await statusOf(withdrawn)).toBe('Withdrawn');
    const { assessment, amount } = await createAssessedFor(rail, actor, 'URA-PAYE');
    const intent = await createPendingFor(actor, assessment);
    await createInitiated(actor, intent);
    const number = await issued(assessment);
    await rail.rows(sql`
      with intent as (
        update payment_intent set status = 'Confirmed', confirmed_at = now() where name = ${intent} returning *),
      paid as (update assessment set status = 'Paid', paid_at = now(), revision = revision + 1 where name = ${assessment})
      insert into payment_event (name, intent, assessment, integrator, mda, amount, currency, channel, kind,
        aggregator_reference, txn_id, occurred_at, created_at)
      select 'PEV-' || name, name, assessment, integrator, 'URA', amount, currency, channel, 'payment', name, name, now(), now()
      from intent`);
    expect((await get(number)).data).toMatchObject({ status: 'Paid', amount, paid_by: intent });
  });

  it('can be issued while an intent is Sent, and is Paid by that', async () => {
    const assessment = await assessed();
    const intent = await createPendingFor(actor, assessment);
    await createInitiated(actor, intent);
    const number = await issued(assessment);
    await actor.post(`/v1/payment-intents/${intent}:confirm`);
    expect((await get(number)).data).toMatchObject({ status: 'Paid', paid_by: intent });
  });

  it('stands for the same amount of the same assessment for good, whatever is tried in the database', async () => {
    const number = await issued(await assessed());
    for (const change of [sql`amount = 1`, sql`currency = 'KES'`, sql`number = ${drawNumber()}`])
      await expect(rail.rows(sql`update payment_reference set ${change} where number = ${number}`)).rejects.toThrow(
        'does not change',
      );
    await expect(rail.rows(sql`delete from payment_reference where number = ${number}`)).rejects.toThrow();
  });
});
