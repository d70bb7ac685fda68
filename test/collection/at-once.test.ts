import { describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { type Actor, TWO_LINES_TOTAL, createAssessed, makeActor, someCitizen, twoLines } from '../harness/flow.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

const PAYER = '+256700123456';
/** The stub of the sandbox accepts, and does not answer. */
const LOSES_ANSWER = '+256700123002';

async function createAtOnce(actor: Actor, headers = {}) {
  const body = { citizen: await someCitizen(rail), lines: await twoLines(rail), assess: true };
  return actor.post('/v1/assessments', body, headers);
}

const timelineOf = async (actor: Actor, intent: string) =>
  ((await actor.ask(`/v1/payment-intents/${intent}/trace`)).data.timeline as { kind: string; summary: string }[]).map(
    ({ kind, summary }) => `${kind}: ${summary}`,
  );

describe('POST /v1/assessments with assess', () => {
  it('200: answers an assessment that can be paid', async () => {
    const actor = await makeActor(rail);
    const { data } = await createAtOnce(actor);
    expect(data).toMatchObject({ status: 'Assessed', total_amount: TWO_LINES_TOTAL });
    expect(data.assessed_at).toBe(data.created_at);
    expect((await actor.post(`/v1/assessments/${data.name}:assess`)).data).toEqual(data);
  });

  it('has the same timeline as two requests', async () => {
    const actor = await makeActor(rail);
    const [one, two] = [(await createAtOnce(actor)).data.name as string, await createAssessed(rail, actor)];
    const timelines = await Promise.all(
      [one, two].map((name) =>
        rail.rows(sql`select kind, summary, detail from trace_row where assessment = ${name} order by id`),
      ),
    );
    expect(timelines[0]).toHaveLength(2);
    expect(timelines[0]).toEqual(timelines[1]);
  });

  it('makes one assessment under one key, however often it is sent', async () => {
    const actor = await makeActor(rail);
    const headers = { 'Idempotency-Key': 'once' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => createAtOnce(actor, headers)));
    const names = new Set(answers.filter(({ status }) => status === 200).map(({ data }) => data.name));
    expect(names.size).toBe(1);
    expect((await actor.ask('/v1/assessments')).data).toHaveLength(1);
  });

  it('is never at a fee that was changed meanwhile', async () => {
    const actor = await makeActor(rail);
    const [line] = await twoLines(rail);
    const body = { citizen: await someCitizen(rail), lines: [line], assess: true };
    const set = (fee: number) => rail.rows(sql`update service set fee_amount = ${fee} where name = ${line!.service}`);
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, () => actor.post('/v1/assessments', body))),
      set(1_000),
    ]);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const [wrong] = await rail.rows(sql`
      select from assessment a join assessment_line l on l.assessment = a.name
      where a.integrator = ${actor.integrator} and l.rate not in (450000, 1000)`);
    expect(wrong).toBeUndefined();
    expect((await actor.post('/v1/assessments', body)).data.total_amount).toBe(1_000);
    await set(450_000);
  });
});

describe('POST /v1/payment-intents with initiate', () => {
  const create = (actor: Actor, assessment: string, more: object = {}, headers = {}) =>
    actor.post(
      '/v1/payment-intents',
      { assessment, channel: 'mtn_momo', initiate: true, payer_msisdn: PAYER, ...more },
      headers,
    );

  it('200: answers an intent that was sent, with what the aggregator answered, and is paid by a third request', async () => {
    const actor = await makeActor(rail);
    const assessment = (await createAtOnce(actor)).data.name as string;
    const { data } = await create(actor, assessment, {}, { 'Idempotency-Key': 'paid' });
    expect(data).toMatchObject({ status: 'Sent', payer_msisdn: '**********456', adapter_response: expect.anything() });
    expect(data.initiated_at >= data.created_at).toBe(true);
    const { data: confirmed } = await actor.post(`/v1/payment-intents/${data.name}:confirm`);
    expect(confirmed.assessment.status).toBe('Paid');
    expect(await timelineOf(actor, data.name as string)).toEqual([
      'assessment.update: Draft created',
      'assessment.update: Draft → Assessed',
      'payment_intent.update: Pending intent created',
      'adapter.initiate: mtn_momo accepted the collection',
      'payment_intent.update: Pending → Sent',
      ...(await timelineOf(actor, data.name as string)).slice(5),
    ]);
  });

  it('422: a payer where nothing is initiated', async () => {
    const actor = await makeActor(rail);
    const answer = await create(actor, await createAssessed(rail, actor), { initiate: false });
    expect(answer).toMatchObject({ status: 422, json: { error: { details: [{ path: 'payer_msisdn' }] } } });
  });

  it('422: no phone number, and nothing is made', async () => {
    const actor = await makeActor(rail);
    const answer = await create(actor, await createAssessed(rail, actor), { payer_msisdn: '12' });
    expect(answer).toMatchObject({ status: 422, json: { error: { details: [{ path: 'payer_msisdn' }] } } });
    expect((await actor.ask('/v1/payment-intents')).data).toEqual([]);
  });

  it('504: stays Pending where no answer came, and is initiated again under the same key', async () => {
    const actor = await makeActor(rail);
    const assessment = await createAssessed(rail, actor);
    const headers = { 'Idempotency-Key': 'lost' };
    const send = () => create(actor, assessment, { payer_msisdn: LOSES_ANSWER }, headers);
    expect(await send()).toMatchObject({ status: 504, code: 'adapter_timeout' });
    const [pending] = (await actor.ask('/v1/payment-intents')).data as { name: string; aggregator_reference: string }[];
    expect(pending).toMatchObject({ status: 'Pending', aggregator_reference: expect.any(String) });
    expect(await send()).toMatchObject({ status: 409, code: 'idempotency_in_progress' });
    rail.advance(11 / 3_600);
    const again = await send();
    expect(again.status, again.text).toBe(200);
    expect(again.data).toMatchObject({
      ...pending,
      status: 'Sent',
      updated_at: again.data.updated_at,
      initiated_at: again.data.initiated_at,
      next_action: { type: 'push', url: null, expires_at: null },
    });
    expect((await actor.ask('/v1/payment-intents')).data).toHaveLength(1);
  });
});
