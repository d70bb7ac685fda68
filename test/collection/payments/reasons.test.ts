import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { openShift, sendInShift } from '../../harness/people/counter.ts';
import {
  type Actor,
  createAssessed,
  createConfirmed,
  draft,
  makeActor,
  createPending,
  createSent,
} from '../../harness/flow.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { type Answer, testRail } from '../../harness/rail.ts';

const rail = testRail();

/** The first machine-readable reason of a refusal. */
function reasonOf(answer: Answer): string {
  expect(answer, answer.text).toMatchObject({ status: 422, code: 'validation_failed' });
  return answer.json.error.details[0].code;
}

describe('a refusal of :confirm says which it is', () => {
  it.each([
    ['collection_pending', (actor: Actor) => createSent(rail, actor, '+256700123000')],
    ['collection_failed', (actor: Actor) => createSent(rail, actor, '+256700123001')],
    ['amount_mismatch', (actor: Actor) => createSent(rail, actor, '+256700123003')],
    ['not_sent', (actor: Actor) => createPending(rail, actor)],
    ['already_confirmed', (actor: Actor) => createConfirmed(rail, actor)],
  ] as const)('%s', async (code, made) => {
    const actor = await makeActor(rail);
    const { intent } = await made(actor);
    expect(reasonOf(await actor.post(`/v1/payment-intents/${intent}:confirm`))).toBe(code);
  });

  it('as problem details and over GraphQL too', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createPending(rail, actor);
    const details = [{ path: 'name', message: expect.stringContaining('only a Sent intent'), code: 'not_sent' }];
    const problem = await actor.post(
      `/v1/payment-intents/${intent}:confirm`,
      {},
      { accept: 'application/problem+json' },
    );
    expect(problem.json).toMatchObject({ code: 'validation_failed', details });
    const query = `mutation { confirmPayment(id: "${intent}") { intent { id } } }`;
    expect((await actor.post('/graphql', { query })).json.errors[0].extensions).toMatchObject({
      code: 'validation_failed',
      details,
    });
  });
});

describe('a refusal of :initiate says which it is', () => {
  it.each([
    [
      'not_pending',
      ({ intent, actor }: { intent: string; actor: Actor }) => actor.post(`/v1/payment-intents/${intent}:initiate`),
    ],
    [
      'expired',
      ({ intent }) =>
        rail.rows(sql`update payment_intent set expires_at = now() - interval '1 second' where name = ${intent}`),
    ],
    ['assessment_not_payable', ({ assessment, actor }) => actor.post(`/v1/assessments/${assessment}:cancel`)],
    [
      'being_initiated',
      ({ intent }) =>
        rail.rows(
          sql`update payment_intent set claimed_by = ${rail.rail.presence}, claimed_at = now() where name = ${intent}`,
        ),
    ],
  ] as [string, (held: { intent: string; assessment: string; actor: Actor }) => Promise<unknown>][])(
    '%s',
    async (code, happens) => {
      const actor = await makeActor(rail);
      const held = { actor, ...(await createPending(rail, actor)) };
      await happens(held);
      expect(reasonOf(await actor.post(`/v1/payment-intents/${held.intent}:initiate`))).toBe(code);
    },
  );
});

describe('an initiation that is sent twice at once under one key', () => {
  it('409: while the first is under way, which keeps nothing, so that the next is carried out', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createPending(rail, actor);
    const hold = (presence: number | null) =>
      rail.rows(sql`update payment_intent set claimed_by = ${presence}, claimed_at = now() where name = ${intent}`);
    const headers = { 'idempotency-key': randomUUID() };
    const initiate = () =>
      actor.ask(`/v1/payment-intents/${intent}:initiate`, { body: { payer_msisdn: '+256700123456' }, headers });
    await hold(rail.rail.presence);
    expect(await initiate()).toMatchObject({ status: 409, code: 'idempotency_in_progress' });
    await hold(null);
    expect(await initiate()).toMatchObject({ status: 200 });
  });
});

describe('so do those of an intent, an assessment, a shift and a key', () => {
  it('creating an intent: not_found, assessment_not_payable', async () => {
    const actor = await makeActor(rail);
    const intend = (assessment: string) => actor.post('/v1/payment-intents', { assessment, channel: 'card' });
    expect(reasonOf(await intend('ASMT-2020-01-000001'))).toBe('not_found');
    expect(reasonOf(await intend(await draft(rail, actor)))).toBe('assessment_not_payable');
  });

  it('assessing and cancelling: not_draft, already_cancelled, reversal_too_late, shift_closed', async () => {
    const actor = await makeActor(rail);
    const assessment = await createAssessed(rail, actor);
    await actor.post(`/v1/assessments/${assessment}:cancel`);
    expect(reasonOf(await actor.post(`/v1/assessments/${assessment}:assess`))).toBe('not_draft');
    expect(reasonOf(await actor.post(`/v1/assessments/${assessment}:cancel`))).toBe('already_cancelled');
    const paid = await createConfirmed(rail, actor);
    await rail.rows(sql`update assessment set paid_at = now() - interval '31 days' where name = ${paid.assessment}`);
    expect(reasonOf(await actor.post(`/v1/assessments/${paid.assessment}:cancel`))).toBe('reversal_too_late');
  });

  it('shifts: shift_already_open, variance_reason_required, shift_not_open, shift_has_collections, shift_closed, no_variance, variance_decided', async () => {
    const [clerk, supervisor] = [await makeStaff(rail, 'clerk'), await makeStaff(rail, 'supervisor')];
    const shift = await openShift(clerk);
    expect(reasonOf(await clerk.post('/v1/counter-shifts', { mda: 'URA' }))).toBe('shift_already_open');
    const { intent } = await sendInShift(rail, clerk, shift);
    const late = await sendInShift(rail, clerk, shift);
    await clerk.post(`/v1/payment-intents/${intent}:confirm`);
    expect(reasonOf(await supervisor.post(`/v1/work/shifts/${shift}:cancel`, { reason: 'By mistake' }))).toBe(
      'shift_has_collections',
    );
    const close = (more: object) => clerk.post(`/v1/counter-shifts/${shift}:close`, { cash_counted: 1, ...more });
    expect(reasonOf(await close({}))).toBe('variance_reason_required');
    expect(reasonOf(await supervisor.post(`/v1/work/shifts/${shift}:approve`))).toBe('no_variance');
    await close({ variance_reason: 'Miscounted' });
    for (const again of [() => close({}), () => clerk.post(`/v1/counter-shifts/${shift}:refresh`)])
      expect(reasonOf(await again())).toBe('shift_not_open');
    expect(reasonOf(await supervisor.post(`/v1/work/shifts/${shift}:cancel`, { reason: 'By mistake' }))).toBe(
      'shift_not_open',
    );
    expect(reasonOf(await clerk.post(`/v1/payment-intents/${late.intent}:confirm`))).toBe('shift_closed');
    await supervisor.post(`/v1/work/shifts/${shift}:approve`);
    expect(reasonOf(await supervisor.post(`/v1/work/shifts/${shift}:approve`))).toBe('variance_decided');
  });

  it('keys: key_not_active', async () => {
    const { plaintext: key, name } = await rail.key('citizens.read');
    const rotate = () => rail.ask(`/v1/me/keys/${name}:rotate`, { key, body: {} });
    expect((await rotate()).status).toBe(200);
    expect(reasonOf(await rotate())).toBe('key_not_active');
  });
});
