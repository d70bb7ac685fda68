import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actAsSystem } from '../../src/platform/access/viewer.ts';
import { callOf } from '../../src/platform/call/call.ts';
import { sql } from '../../src/platform/database/sql.ts';
import type { AssessmentStatus, IntentStatus } from '../../src/generated/prisma/enums.ts';
import { expireOverdue } from '../../src/collection/payments/enquiries/expire.ts';
import { sizeOf } from '../harness/chaos/size.ts';
import { type Actor, TWO_LINES_TOTAL, makeActor, someCitizen, twoLines } from '../harness/flow.ts';
import { expectInvariants } from '../harness/chaos/invariants.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

/** The behaviour of the stub's payers, by the end of their phone number. */
const PAYERS = {
  pays: '456',
  waits: '000',
  declines: '001',
  'answers late': '002',
  'pays another amount': '003',
} as const;
type Payer = keyof typeof PAYERS;

interface ModelIntent {
  status: IntentStatus;
  payer: Payer;
  /** True once the aggregator was asked. */
  asked: boolean;
}

/** The lifecycles of one assessment and its intents, as plainly as they can be written. */
class Model {
  assessment: AssessmentStatus = 'Draft';
  readonly intents: ModelIntent[] = [];

  assess(): boolean {
    if (this.assessment !== 'Draft' && this.assessment !== 'Assessed') return false;
    this.assessment = 'Assessed';
    return true;
  }

  cancel(): boolean {
    if (this.assessment === 'Cancelled') return false;
    this.assessment = 'Cancelled';
    return true;
  }

  intend(): boolean {
    if (this.assessment !== 'Assessed') return false;
    this.intents.push({ status: 'Pending', payer: 'pays', asked: false });
    return true;
  }

  initiate(intent: ModelIntent, payer: Payer): boolean {
    if (intent.status !== 'Pending' || this.assessment !== 'Assessed') return false;
    const again = intent.asked;
    intent.payer = payer;
    intent.asked = true;
    if (payer === 'answers late' && !again) return false;
    intent.status = 'Sent';
    return true;
  }

  confirm(intent: ModelIntent): boolean {
    if (intent.status !== 'Sent') return false;
    if (intent.payer === 'declines') intent.status = 'Failed';
    if (intent.payer !== 'pays' && intent.payer !== 'answers late') return false;
    this.#collect(intent);
    return true;
  }

  callback(intent: ModelIntent, status: 'SUCCESSFUL' | 'FAILED' | 'PENDING'): void {
    if (!intent.asked || intent.status === 'Confirmed') return;
    if (status === 'SUCCESSFUL') this.#collect(intent);
    if (status === 'FAILED' && (intent.status === 'Pending' || intent.status === 'Sent')) intent.status = 'Failed';
  }

  /** Whoever was asked to collect is asked once more before the end. */
  expire(): void {
    for (const intent of this.intents) {
      if (intent.status !== 'Pending' && intent.status !== 'Sent') continue;
      // A lost initiation is found after a minute, which has not passed.
      const collected = intent.payer === 'pays' || (intent.payer === 'answers late' && intent.status === 'Sent');
      if (intent.asked && collected) this.#collect(intent);
      else intent.status = intent.asked && intent.payer === 'declines' ? 'Failed' : 'Expired';
    }
  }

  #collect(intent: ModelIntent): void {
    intent.status = 'Confirmed';
    if (this.assessment === 'Assessed') this.assessment = 'Paid';
  }
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ do: 'assess' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'cancel' as const }) },
  { weight: 4, arbitrary: fc.constant({ do: 'intend' as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('initiate' as const),
      which: fc.nat(3),
      payer: fc.constantFrom(...(Object.keys(PAYERS) as Payer[])),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('confirm' as const), which: fc.nat(3) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('callback' as const),
      which: fc.nat(3),
      status: fc.constantFrom('SUCCESSFUL' as const, 'FAILED' as const, 'PENDING' as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'expire' as const }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function perform(actor: Actor, assessment: string, intents: string[], model: Model, action: Step): Promise<void> {
  switch (action.do) {
    case 'assess':
    case 'cancel': {
      const allowed = action.do === 'assess' ? model.assess() : model.cancel();
      expect((await actor.post(`/v1/assessments/${assessment}:${action.do}`)).status).toBe(allowed ? 200 : 422);
      return;
    }
    case 'intend': {
      const answer = await actor.post('/v1/payment-intents', { assessment, channel: 'mtn_momo' });
      expect(answer.status).toBe(model.intend() ? 200 : 422);
      if (answer.status === 200) intents.push(answer.data.name);
      return;
    }
    case 'expire':
      model.expire();
      await rail.rows(
        sql`update payment_intent set expires_at = now() - interval '1 second' where assessment = ${assessment}`,
      );
      await expireOverdue(callOf(rail.rail, actAsSystem('job:expire_intents'), 'test'));
      return;
  }
  if (intents.length === 0) return;
  const which = action.which % intents.length;
  const [name, intent] = [intents[which]!, model.intents[which]!];
  if (action.do === 'initiate') {
    const refusedWith = intent.status === 'Pending' && model.assessment === 'Assessed' ? 504 : 422;
    const answer = await actor.post(`/v1/payment-intents/${name}:initiate`, {
      payer_msisdn: `+256700123${PAYERS[action.payer]}`,
    });
    expect(answer.status).toBe(model.initiate(intent, action.payer) ? 200 : refusedWith);
  } else if (action.do === 'confirm') {
    expect((await actor.post(`/v1/payment-intents/${name}:confirm`)).status).toBe(model.confirm(intent) ? 200 : 422);
  } else {
    model.callback(intent, action.status);
    const event = {
      event_id: randomUUID(),
      intent: name,
      status: action.status,
      amount: TWO_LINES_TOTAL,
      currency: 'UGX',
    };
    expect((await rail.ask('/v1/webhooks/mtn_momo', { body: event })).status).toBe(200);
  }
}

describe('random sequences of operations', () => {
  it('leave every document in the state that a plain model of the lifecycles has', async () => {
    const actor = await makeActor(rail);
    const body = { citizen: await someCitizen(rail), lines: await twoLines(rail) };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 18 }), async (actions) => {
        const assessment = (await actor.post('/v1/assessments', body)).data.name;
        const model = new Model();
        const intents: string[] = [];
        for (const action of actions) {
          await perform(actor, assessment, intents, model, action);
          const [stored] = await rail.rows<{ status: string }>(
            sql`select status from assessment where name = ${assessment}`,
          );
          const statuses = await rail.rows<{ status: string }>(
            sql`select status from payment_intent where assessment = ${assessment} order by name`,
          );
          expect(stored!.status).toBe(model.assessment);
          expect(statuses.map(({ status }) => status)).toEqual(model.intents.map(({ status }) => status));
        }
      }),
      { numRuns: sizeOf({ fast: 25, long: 200 }) },
    );
    await expectInvariants(rail);
  });
});
