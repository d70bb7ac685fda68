import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { createConfirmed, makeActor, createSent, someCitizen, twoLines } from '../../harness/flow.ts';
import { pageAt } from '../../harness/pages.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

/** The common table expressions of a statement, in order. */
function stepsOf(statement: string): string[] {
  return [...statement.matchAll(/(?:^with|\), )\s*(\w+) as \(/g)].map(([, name]) => name!);
}

/** The statements of requests: jobs are woken beside them, once for all that happened meanwhile. */
function textsOf(asked: readonly unknown[][]): string[] {
  return asked
    .map(([statement]) => statement)
    .filter((statement) => typeof statement === 'object')
    .map((statement) => (statement as { text: string }).text);
}

describe('each step of the flow', () => {
  it('needs few round trips to PostgreSQL, authentication and audit among them', async () => {
    const actor = await makeActor(rail);
    await createConfirmed(rail, actor); // docnames come in blocks, the first of which is reserved here
    const body = { citizen: await someCitizen(rail), lines: await twoLines(rail) };
    await rail.rail.audit.flush();
    const query = vi.spyOn(pg.Client.prototype, 'query');
    const trips: Record<string, number> = {};
    const step = async (name: string, path: string, input: object = {}) => {
      query.mockClear();
      const { data } = await actor.post(path, input);
      trips[name] = textsOf(query.mock.calls).length;
      return data;
    };
    const assessment = (await step('create', '/v1/assessments', body)).name;
    await step('assess', `/v1/assessments/${assessment}:assess`);
    const intent = (await step('intent', '/v1/payment-intents', { assessment, channel: 'mtn_momo' })).name;
    await step('initiate', `/v1/payment-intents/${intent}:initiate`, { payer_msisdn: '+256700123456' });
    await step('confirm', `/v1/payment-intents/${intent}:confirm`);
    query.mockRestore();
    expect(trips).toEqual({ create: 4, assess: 4, intent: 4, initiate: 4, confirm: 5 });
  });

  it('confirms by the one statement that the documentation takes apart', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createSent(rail, actor);
    const query = vi.spyOn(pg.Client.prototype, 'query');
    await actor.post(`/v1/payment-intents/${intent}:confirm`, {}, { 'Idempotency-Key': 'anatomy' });
    const statements = textsOf(query.mock.calls);
    query.mockRestore();
    const [confirmation] = statements.filter((text) => text.includes('insert into payment_event'));
    const { text: shown } = pageAt('docs/architecture.md').blocks.find(({ language }) => language === 'sql')!;
    expect(stepsOf(shown)).toContain('changed');
    expect(stepsOf(shown)).toEqual(stepsOf(confirmation!));
  });
});
