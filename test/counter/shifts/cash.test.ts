import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { expectMistake, openShift } from '../../harness/people/counter.ts';
import {
  type Actor,
  createAssessedFor,
  makeActor,
  createPendingFor,
  serviceNamed,
  someCitizen,
} from '../../harness/flow.ts';
import { approveByAnother } from '../../harness/people/going-live.ts';
import { expectInvariants } from '../../harness/chaos/invariants.ts';
import { LIVE } from '../../harness/live.ts';
import { type Answer, type TestRail, testRail } from '../../harness/rail.ts';
import { makeStaff } from '../../harness/people/staff.ts';

const sandbox = testRail();
const live = testRail(LIVE);

type Poster = Pick<Actor, 'post' | 'ask'>;

/** Takes the cash for an assessment: the answer that ends it. */
async function takeCash(who: Poster, assessment: string): Promise<Answer> {
  const made = await who.post('/v1/payment-intents', { assessment, channel: 'cash' });
  if (made.status !== 200) return made;
  const sent = await who.post(`/v1/payment-intents/${made.data.name}:initiate`);
  return sent.status === 200 ? who.post(`/v1/payment-intents/${made.data.name}:confirm`) : sent;
}

function expectForbidden(answer: Answer, code: string): void {
  expect(answer, answer.text).toMatchObject({ status: 403, code: 'forbidden' });
  expect(answer.json.error.details).toMatchObject([{ code }]);
}

const proofsOf = (rail: TestRail, assessment: string) =>
  rail.rows(sql`select proof from payment_event where assessment = ${assessment}`);

async function tillOf(who: Poster, shift: string) {
  const { data } = await who.ask(`/v1/counter-shifts/${shift}`);
  return { cash: data.cash_collected, expected: data.expected_cash, count: data.collection_count };
}

describe('cash on a live rail', () => {
  it('is counted in the Open shift of whoever takes it, staff or a trusted key, and the assessment says so', async () => {
    for (const who of [
      await makeStaff(live, 'clerk'),
      await makeStaff(live, 'supervisor'),
      await makeActor(live, { counters: ['URA'] }),
      await makeActor(live, { counters: ['*'] }),
    ]) {
      const shift = await openShift(who, { opening_float: 1_000 });
      const { assessment, amount } = await createAssessedFor(live, who, 'URA-TCC');
      const { data } = await takeCash(who, assessment);
      expect(data.assessment).toMatchObject({ status: 'Paid', shift });
      expect(await proofsOf(live, assessment)).toEqual([{ proof: 'cash' }]);
      expect(await tillOf(who, shift)).toEqual({ cash: amount, expected: 1_000 + amount, count: 1 });
      const closed = await who.post(`/v1/counter-shifts/${shift}:close`, { cash_counted: 1_000 + amount });
      expect(closed.data).toMatchObject({ status: 'Closed', variance: 0, cash_collected: amount });
    }
    await expectInvariants(live);
  });

  it("is taken by a clerk for an integrator's assessment too", async () => {
    const [integrator, clerk] = [await makeActor(live), await makeStaff(live, 'clerk')];
    const { assessment } = await createAssessedFor(live, integrator, 'URA-TCC');
    const shift = await openShift(clerk);
    expect((await takeCash(clerk, assessment)).data.assessment).toMatchObject({ status: 'Paid', shift });
    const path = `/v1/payment-intents/${(await lastIntent(assessment)).name}/trace`;
    const seen = await integrator.ask(path);
    expect(seen.data.timeline.at(-1)).toMatchObject({ summary: 'Assessed → Paid', detail: { shift } });
    const actorsOf = (answer: Answer) => [
      ...new Set(answer.data.timeline.map(({ actor }: { actor: string }) => actor)),
    ];
    expect(actorsOf(seen)).toEqual([integrator.integrator, 'staff']);
    expect(seen.text).not.toContain(clerk.email);
    expect(actorsOf(await clerk.ask(path))).toEqual([integrator.integrator, clerk.email]);
  });

  it('403: for a key that no operator trusts with a counter of the agency, with or without a shift', async () => {
    for (const who of [await makeActor(live), await makeActor(live, { counters: ['KCCA'] })]) {
      const shift = await openShift(who);
      for (const more of [{}, { shift }]) {
        const { assessment } = await createAssessedFor(live, who, 'URA-TCC', more);
        expectForbidden(await takeCash(who, assessment), 'cash_needs_counter');
      }
    }
  });

  it('403: without an Open shift at an agency of the assessment', async () => {
    const clerk = await makeStaff(live, 'clerk');
    const { assessment } = await createAssessedFor(live, clerk, 'URA-TCC');
    expectForbidden(await takeCash(clerk, assessment), 'cash_needs_shift');
    const elsewhere = await openShift(clerk, { mda: 'KCCA' });
    expectForbidden(await takeCash(clerk, assessment), 'cash_needs_shift');
    const { assessment: misplaced } = await createAssessedFor(live, clerk, 'URA-TCC', { shift: elsewhere });
    expectForbidden(await takeCash(clerk, misplaced), 'cash_needs_shift');
    const dollars = await makeStaff(live, 'clerk');
    await openShift(dollars, { currency: 'USD' });
    expectForbidden(await takeCash(dollars, assessment), 'cash_needs_shift');
  });

  it('403: of an assessment that belongs to the shift of somebody else', async () => {
    const [clerk, other] = [await makeStaff(live, 'clerk'), await makeStaff(live, 'clerk')];
    const shift = await openShift(clerk);
    await openShift(other);
    const { assessment } = await createAssessedFor(live, clerk, 'URA-TCC', { shift });
    expectForbidden(await takeCash(other, assessment), 'cash_in_other_shift');
    expect((await takeCash(clerk, assessment)).data.assessment.status).toBe('Paid');
  });

  it('403: confirmed by another than who has the shift, or after it was closed; nothing changes', async () => {
    const [clerk, other] = [await makeStaff(live, 'clerk'), await makeStaff(live, 'clerk')];
    const shift = await openShift(clerk);
    const { assessment } = await createAssessedFor(live, clerk, 'URA-TCC');
    const intent = await createPendingFor(clerk, assessment, 'cash');
    await clerk.post(`/v1/payment-intents/${intent}:initiate`);
    expectForbidden(await other.post(`/v1/payment-intents/${intent}:confirm`), 'cash_needs_shift');
    await clerk.post(`/v1/counter-shifts/${shift}:close`, { cash_counted: 0 });
    expectForbidden(await clerk.post(`/v1/payment-intents/${intent}:confirm`), 'cash_needs_shift');
    expect(await lastIntent(assessment)).toMatchObject({ status: 'Sent' });
    const next = await openShift(clerk);
    expect((await clerk.post(`/v1/payment-intents/${intent}:confirm`)).data.assessment).toMatchObject({
      status: 'Paid',
      shift: next,
    });
  });

  it.each([
    ['live', live],
    ['sandbox', sandbox],
  ])('422: for an assessment that was paid meanwhile, of six intents at once too, in a %s', async (_mode, rail) => {
    const clerk = await makeStaff(rail, 'clerk');
    const shift = await openShift(clerk);
    const { assessment, amount } = await createAssessedFor(rail, clerk, 'URA-TCC');
    const intents: string[] = [];
    for (let nth = 0; nth < 8; nth++) {
      intents.push(await createPendingFor(clerk, assessment, 'cash'));
      await clerk.post(`/v1/payment-intents/${intents[nth]}:initiate`);
    }
    const confirm = (intent: string) => clerk.post(`/v1/payment-intents/${intent}:confirm`);
    const refused = (answer: Answer) => {
      expect(answer, answer.text).toMatchObject({ status: 422, code: 'validation_failed' });
      expect(answer.json.error.details).toMatchObject([{ code: 'assessment_not_payable' }]);
    };
    const answers = await Promise.all(intents.slice(2).map(confirm));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    answers.filter(({ status }) => status !== 200).forEach(refused);
    for (const intent of intents.slice(0, 2)) refused(await confirm(intent));
    expectMistake(await clerk.post('/v1/payment-intents', { assessment, channel: 'cash' }), 'assessment');
    expect(await tillOf(clerk, shift)).toEqual({ cash: amount, expected: amount, count: 1 });
    await expectInvariants(rail);
  });

  it('once: of 10 confirmations at once while the shift closes, what was confirmed was counted', async () => {
    const clerk = await makeStaff(live, 'clerk');
    const shift = await openShift(clerk);
    const sent = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { assessment, amount } = await createAssessedFor(live, clerk, 'URA-TCC');
        const intent = await createPendingFor(clerk, assessment, 'cash');
        await clerk.post(`/v1/payment-intents/${intent}:initiate`);
        return { intent, amount };
      }),
    );
    const [closed, ...answers] = await Promise.all([
      clerk.post(`/v1/counter-shifts/${shift}:close`, { cash_counted: 0, variance_reason: 'Closed in a hurry' }),
      ...sent.map(({ intent }) => clerk.post(`/v1/payment-intents/${intent}:confirm`)),
    ]);
    const taken = sent.filter((_, i) => answers[i]!.status === 200).reduce((total, { amount }) => total + amount, 0);
    expect(closed.data.cash_collected).toBe(taken);
    await expectInvariants(live);
  });

  async function lastIntent(assessment: string): Promise<{ name: string; status: string }> {
    const [row] = await live.rows<{ name: string; status: string }>(
      sql`select name, status from payment_intent where assessment = ${assessment} order by name desc limit 1`,
    );
    return row!;
  }
});

describe('a limit of cash', () => {
  const limitTo = async (rail: TestRail, limits: object) => {
    const operator = await makeStaff(rail, 'system_manager');
    const answer = await operator.ask('/v1/ops/mdas/URA', { method: 'PATCH', body: limits });
    expect(answer.status, answer.text).toBe(200);
    // On a live rail, a change that allows more than before needs a second operator.
    const waiting = await rail.rows<{ name: string }>(
      sql`select name from approval where kind = 'cash' and status = 'Pending'`,
    );
    for (const { name } of waiting) await approveByAnother(rail, name);
    const [set] = await rail.rows(sql`
      select cash_limit::float8, shift_cash_limit::float8 from mda where name = 'URA'`);
    expect(set).toMatchObject(limits);
  };
  const expectLimited = (answer: Answer) => {
    expectMistake(answer, 'channel');
    expect(answer.json.error.details).toMatchObject([{ code: 'cash_limit' }]);
  };

  it.each([
    ['live', live],
    ['sandbox', sandbox],
  ])('422: beyond it in one payment, when it is created and when it is confirmed, in a %s', async (_mode, rail) => {
    const clerk = await makeStaff(rail, 'clerk');
    await openShift(clerk);
    // The profile of the country has one, which an attack of 4.5 billion meets.
    const lines = [{ service: await serviceNamed(rail, 'URA-MVPLATE'), quantity: 225 }];
    const { data } = await clerk.post('/v1/assessments', { citizen: await someCitizen(rail), lines });
    await clerk.post(`/v1/assessments/${data.name}:assess`);
    expectLimited(await takeCash(clerk, data.name));
    const { assessment, amount } = await createAssessedFor(rail, clerk, 'URA-TCC');
    const intent = await createPendingFor(clerk, assessment, 'cash');
    await clerk.post(`/v1/payment-intents/${intent}:initiate`);
    try {
      await limitTo(rail, { cash_limit: amount - 1 });
      expectLimited(await clerk.post(`/v1/payment-intents/${intent}:confirm`));
      expectLimited(await clerk.post('/v1/payment-intents', { assessment, channel: 'cash' }));
      await limitTo(rail, { cash_limit: amount });
      expect((await clerk.post(`/v1/payment-intents/${intent}:confirm`)).status).toBe(200);
    } finally {
      await limitTo(rail, { cash_limit: null });
    }
  });

  it('422: beyond it in one shift, of 6 payments at once too', async () => {
    const clerk = await makeStaff(live, 'clerk');
    const shift = await openShift(clerk);
    const sent = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const { assessment, amount } = await createAssessedFor(live, clerk, 'URA-TCC');
        const intent = await createPendingFor(clerk, assessment, 'cash');
        await clerk.post(`/v1/payment-intents/${intent}:initiate`);
        return { intent, amount };
      }),
    );
    const { amount } = sent[0]!;
    try {
      await limitTo(live, { shift_cash_limit: 2 * amount });
      const answers = await Promise.all(sent.map(({ intent }) => clerk.post(`/v1/payment-intents/${intent}:confirm`)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
      answers.filter(({ status }) => status !== 200).forEach(expectLimited);
      expect((await tillOf(clerk, shift)).cash).toBe(2 * amount);
    } finally {
      await limitTo(live, { shift_cash_limit: null });
    }
  });
});

it('flags cash that a key confirms, once for its shift, and none that staff confirm', async () => {
  const key = await makeActor(live, { counters: ['URA'] });
  for (const [who, found] of [
    [key, 1],
    [await makeStaff(live, 'clerk'), 0],
  ] as const) {
    const shift = await openShift(who);
    for (let time = 0; time < 2; time++)
      await takeCash(who, (await createAssessedFor(live, who, 'URA-TCC')).assessment);
    expect((await tillOf(who, shift)).count).toBe(2);
    expect(await live.count(sql`select 1 from anomaly where kind = 'cash_by_key' and subject = ${shift}`)).toBe(found);
  }
});

describe('what a payer hands over', () => {
  it('200: is kept with the payment, and the change that is due', async () => {
    const clerk = await makeStaff(live, 'clerk');
    await openShift(clerk);
    for (const [more, change] of [
      [7_000, 7_000],
      [0, 0],
    ] as const) {
      const { assessment, amount } = await createAssessedFor(live, clerk, 'URA-TCC');
      const tendered = amount + more;
      const made = await clerk.post('/v1/payment-intents', { assessment, channel: 'cash', tendered });
      expect(made.data).toMatchObject({ amount, tendered, change });
      expect((await clerk.ask(`/v1/payment-intents/${made.data.name}`)).data).toMatchObject({ tendered, change });
    }
    const { assessment } = await createAssessedFor(live, clerk, 'URA-TCC');
    const unsaid = await clerk.post('/v1/payment-intents', { assessment, channel: 'cash' });
    expect(unsaid.data).toMatchObject({ tendered: null, change: null });
  });

  it.each([
    ['less than the total', 'cash', (total: number) => total - 1, 'tendered_too_low'],
    ['nothing', 'cash', () => 0, 'tendered_too_low'],
    ['less than nothing', 'cash', () => -1, undefined],
    ['parts of a shilling', 'cash', (total: number) => total + 0.5, undefined],
    ['more digits than there are', 'cash', () => 1e17, undefined],
    ['by another channel', 'mtn_momo', (total: number) => total, undefined],
  ])('422: %s; no intent is made', async (_what, channel, tenderedOf, code) => {
    const clerk = await makeStaff(live, 'clerk');
    await openShift(clerk);
    const { assessment, amount } = await createAssessedFor(live, clerk, 'URA-TCC');
    const answer = await clerk.post('/v1/payment-intents', { assessment, channel, tendered: tenderedOf(amount) });
    expectMistake(answer, 'tendered');
    expect(answer.json.error.details[0].code).toBe(code);
    expect(await live.count(sql`select 1 from payment_intent where assessment = ${assessment}`)).toBe(0);
  });
});

describe('cash in a sandbox', () => {
  const flagged = (intent: string) =>
    sandbox.count(
      sql`select 1 from anomaly where kind = 'cash_outside_shift' and subject = ${intent} and severity = 'high'`,
    );

  it('works outside a shift, and is flagged', async () => {
    const actor = await makeActor(sandbox);
    const clerk = await makeStaff(sandbox, 'clerk');
    for (const who of [actor, clerk]) {
      const { assessment } = await createAssessedFor(sandbox, who, 'URA-TCC');
      const { data } = await takeCash(who, assessment);
      expect(data.assessment).toMatchObject({ status: 'Paid', shift: null });
      expect(await proofsOf(sandbox, assessment)).toEqual([{ proof: 'simulated' }]);
      expect(await flagged(data.intent.name)).toBe(1);
    }
    await expectInvariants(sandbox);
  });

  it('in a shift it is counted there, and not flagged', async () => {
    const actor = await makeActor(sandbox);
    const shift = await openShift(actor);
    const { assessment, amount } = await createAssessedFor(sandbox, actor, 'URA-TCC', { shift });
    const { data } = await takeCash(actor, assessment);
    expect(await flagged(data.intent.name)).toBe(0);
    expect(await tillOf(actor, shift)).toEqual({ cash: amount, expected: amount, count: 1 });
  });

  it('of a clerk whose shift is Open it is counted there, whether the assessment named it or not', async () => {
    const clerk = await makeStaff(sandbox, 'clerk');
    const shift = await openShift(clerk);
    const { assessment, amount } = await createAssessedFor(sandbox, clerk, 'URA-TCC');
    const { data } = await takeCash(clerk, assessment);
    expect(data.assessment).toMatchObject({ status: 'Paid', shift });
    expect(await flagged(data.intent.name)).toBe(0);
    expect(await tillOf(clerk, shift)).toEqual({ cash: amount, expected: amount, count: 1 });
    await expectInvariants(sandbox);
  });

  it("is flagged where it is confirmed by another than the shift's clerk", async () => {
    const [clerk, supervisor] = [await makeStaff(sandbox, 'clerk'), await makeStaff(sandbox, 'supervisor')];
    const shift = await openShift(clerk);
    const { assessment } = await createAssessedFor(sandbox, clerk, 'URA-TCC', { shift });
    const { data } = await takeCash(supervisor, assessment);
    expect(await flagged(data.intent.name)).toBe(1);
  });

  it('an anomaly of its own, described with the others', async () => {
    const kinds = (await sandbox.ask('/v1/anomaly-rules')).data.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['cash_outside_shift', 'split_differs']));
  });
});
