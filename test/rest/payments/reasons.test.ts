import { describe, expect, it } from 'vitest';
import { type Actor, confirmed, newActor, pending, sent } from '../../harness/flow.ts';
import { type Answer, testRail } from '../../harness/rail.ts';

const rail = testRail();

/** Which of its reasons a refusal names, for programs. */
function reasonOf(answer: Answer): string {
  expect(answer, answer.text).toMatchObject({ status: 422, code: 'validation_failed' });
  return answer.json.error.details[0].code;
}

describe('a refusal of :confirm says which it is', () => {
  it.each([
    ['collection_pending', (actor: Actor) => sent(rail, actor, '+256700123000')],
    ['collection_failed', (actor: Actor) => sent(rail, actor, '+256700123001')],
    ['amount_mismatch', (actor: Actor) => sent(rail, actor, '+256700123003')],
    ['not_sent', (actor: Actor) => pending(rail, actor)],
    ['already_confirmed', (actor: Actor) => confirmed(rail, actor)],
  ] as const)('%s', async (code, made) => {
    const actor = await newActor(rail);
    const { intent } = await made(actor);
    expect(reasonOf(await actor.post(`/v1/payment-intents/${intent}:confirm`))).toBe(code);
  });

  it('as problem details and over GraphQL too', async () => {
    const actor = await newActor(rail);
    const { intent } = await pending(rail, actor);
    const details = [{ path: 'name', message: expect.stringContaining('only a Sent intent'), code: 'not_sent' }];
    const problem = await actor.post(`/v1/payment-intents/${intent}:confirm`, {}, { accept: 'application/problem+json' });
    expect(problem.json).toMatchObject({ code: 'validation_failed', details });
    const query = `mutation { confirmPayment(name: "${intent}") { intent { name } } }`;
    expect((await actor.post('/graphql', { query })).json.errors[0].extensions).toMatchObject({ code: 'validation_failed', details });
  });
});
