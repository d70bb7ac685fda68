import { describe, expect, it } from 'vitest';
import { createPending, makeActor } from '../harness/flow.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

describe('enums of constants with dots', () => {
  it('are answered under their names over GraphQL, and as they are in the code over REST', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createPending(rail, actor);
    const body = { query: `{ paymentTrace(name: "${intent}") { entries: timeline { kind } } }` };
    const kinds = (await actor.post('/graphql', body)).json.data.paymentTrace.entries.map(
      ({ kind }: { kind: string }) => kind,
    );
    expect(new Set(kinds)).toEqual(new Set(['assessment_update', 'payment_intent_update']));
    const { timeline } = (await rail.ask(`/v1/payment-intents/${intent}/trace`, { key: actor.key })).data;
    expect(timeline.map(({ kind }: { kind: string }) => kind)).toEqual(
      kinds.map((kind: string) => kind.replace(/_(?=[a-z]+$)/, '.')),
    );
  });
});
