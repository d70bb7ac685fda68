import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { STANDARD_SCOPES } from '../../src/platform/access/needs.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { sizeOf } from '../harness/chaos/size.ts';
import { type Actor, TWO_LINES_TOTAL, someCitizen, twoLines } from '../harness/flow.ts';
import { expectInvariants } from '../harness/chaos/invariants.ts';
import { LIVE } from '../harness/live.ts';
import { CHANNELS, startOutsideRail, planNext } from '../harness/outside.ts';
import type { Answer } from '../harness/rail.ts';

/** A rail as a ministry runs it, whose aggregators say of no collection that it was completed. */
const held = startOutsideRail(LIVE);
const { rail } = held;

beforeAll(() => {
  for (const channel of CHANNELS) planNext(held.outside, channel, { outcome: 'never' });
});

/** Somebody who signed up: a key that no operator vouches for. */
async function stranger(): Promise<Actor> {
  const { plaintext: key, integrator, name } = await rail.key(...STANDARD_SCOPES);
  await rail.rows(sql`update api_key set issued_by = null where name = ${name}`);
  const ask: Actor['ask'] = (path, options = {}) => rail.ask(path, { key, ...options });
  return { key, integrator, ask, post: (path, body = {}, headers = {}) => ask(path, { body, headers }) };
}

/** The documents of one try, as far as they exist. */
interface World {
  readonly actor: Actor;
  readonly citizen: string;
  readonly lines: readonly { service: string }[];
  readonly assessments: string[];
  readonly intents: string[];
  readonly shifts: string[];
}

const WAYS = [...CHANNELS, 'cash'] as const;
/** Counted from the last one that was made. */
const which = fc.nat(2);
const way = fc.constantFrom(...WAYS);
const provider = fc.constantFrom('mtn_momo', 'airtel_money', 'card', 'cash');

/** Everything that a key can do about a payment, and a few things that it cannot. */
const often = <T>(arbitrary: fc.Arbitrary<T>) => ({ weight: 4, arbitrary });
const step = fc.oneof(
  fc.record({ do: fc.constant('assess' as const), shift: fc.boolean() }),
  often(
    fc.record({
      do: fc.constant('intend' as const),
      which,
      way,
      splits: fc.constantFrom('derived', 'explicit', 'elsewhere'),
      graphql: fc.boolean(),
    }),
  ),
  often(
    fc.record({
      do: fc.constant('initiate' as const),
      which,
      graphql: fc.boolean(),
      payer: fc.constantFrom('456', '000', '002', '003'),
    }),
  ),
  often(fc.record({ do: fc.constant('confirm' as const), which, graphql: fc.boolean(), key: fc.boolean() })),
  fc.record({
    do: fc.constant('callback' as const),
    which,
    provider,
    form: fc.constantFrom('own', 'native', 'forged', 'graphql'),
  }),
  fc.record({ do: fc.constant('look' as const), which }),
  fc.record({ do: fc.constant('open' as const), mda: fc.constantFrom('URA', 'URSB') }),
  fc.record({ do: fc.constant('close' as const), which }),
  fc.record({
    do: fc.constant('widen' as const),
    scope: fc.constantFrom('payments.split', 'payments.initiate', 'assessments.cancel'),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const pick = (names: readonly string[], index: number): string =>
  names[names.length - 1 - index] ?? names.at(-1) ?? 'PI-2020-01-000001';

function mutate(actor: Actor, query: string): Promise<Answer> {
  return actor.post('/graphql', { query: `mutation { ${query} }` });
}

const SPLITS: Readonly<Record<string, readonly { mda: string; amount: number }[] | null>> = {
  derived: null,
  explicit: [
    { mda: 'URA', amount: 450_000 },
    { mda: 'URSB', amount: 135_000 },
  ],
  elsewhere: [{ mda: 'KCCA', amount: TWO_LINES_TOTAL }],
};

function native(intent: string, from: string): unknown {
  const bodies: Readonly<Record<string, unknown>> = {
    mtn_momo: {
      externalId: intent,
      status: 'SUCCESSFUL',
      amount: String(TWO_LINES_TOTAL),
      currency: 'UGX',
      financialTransactionId: '1',
    },
    airtel_money: { transaction: { id: intent, status_code: 'TS', airtel_money_id: '1' }, hash: 'AAAA' },
    card: {
      event: 'charge.completed',
      data: { tx_ref: intent, status: 'successful', amount: TWO_LINES_TOTAL, currency: 'UGX' },
    },
  };
  return bodies[from] ?? {};
}

async function perform({ actor, citizen, lines, assessments, intents, shifts }: World, action: Step): Promise<void> {
  switch (action.do) {
    case 'assess': {
      const shift = action.shift && shifts.length > 0 ? { shift: shifts.at(-1) } : {};
      const { data } = await actor.post('/v1/assessments', { citizen, lines, ...shift });
      if (!data) return;
      await actor.post(`/v1/assessments/${data.name}:assess`);
      assessments.push(data.name);
      return;
    }
    case 'intend': {
      const assessment = pick(assessments, action.which);
      const splits = SPLITS[action.splits];
      if (action.graphql) {
        const { json } = await mutate(
          actor,
          `createPaymentIntent(assessment: "${assessment}", channel: ${action.way}) { id }`,
        );
        if (json.data?.createPaymentIntent) intents.push(json.data.createPaymentIntent.id);
        return;
      }
      const { data } = await actor.post('/v1/payment-intents', {
        assessment,
        channel: action.way,
        ...(splits && { splits }),
      });
      if (data) intents.push(data.name);
      return;
    }
    case 'initiate': {
      const [intent, payer] = [pick(intents, action.which), `+256772123${action.payer}`];
      await (action.graphql
        ? mutate(actor, `initiatePayment(id: "${intent}", payerMsisdn: "${payer}") { intent { id } }`)
        : actor.post(`/v1/payment-intents/${intent}:initiate`, { payer_msisdn: payer }));
      return;
    }
    case 'confirm': {
      const intent = pick(intents, action.which);
      await (action.graphql
        ? mutate(actor, `confirmPayment(id: "${intent}") { intent { id } }`)
        : actor.post(
            `/v1/payment-intents/${intent}:confirm`,
            {},
            action.key ? { 'idempotency-key': randomUUID() } : {},
          ));
      return;
    }
    case 'callback': {
      const intent = pick(intents, action.which);
      const own = { event_id: randomUUID(), intent, status: 'SUCCESSFUL', amount: TWO_LINES_TOTAL, currency: 'UGX' };
      const path = `/v1/webhooks/${action.provider}`;
      if (action.form === 'own') await rail.ask(path, { body: own });
      if (action.form === 'native')
        await rail.ask(`${path}?intent=${intent}`, { body: native(intent, action.provider) });
      if (action.form === 'forged') {
        const headers = {
          'x-service-signature': '0'.repeat(64),
          'verif-hash': 'guess',
          'flutterwave-signature': 'AAAA',
        };
        await rail.ask(`${path}?intent=${intent}&proof=${'0'.repeat(64)}`, {
          body: native(intent, action.provider),
          headers,
        });
      }
      if (action.form === 'graphql') {
        const body = Buffer.from(JSON.stringify(own)).toString('base64');
        await mutate(actor, `receiveCallback(provider: "${action.provider}", body: "${body}") { decision }`);
      }
      return;
    }
    case 'look':
      await actor.ask(`/v1/payment-intents/${pick(intents, action.which)}/live-status`);
      return;
    case 'open': {
      const { data } = await actor.post('/v1/counter-shifts', { mda: action.mda, opening_float: 1_000 });
      if (data) shifts.push(data.name);
      return;
    }
    case 'close':
      await actor.post(`/v1/counter-shifts/${pick(shifts, action.which)}:close`, {
        cash_counted: 1_000_000,
        variance_reason: 'Made up',
      });
      return;
    case 'widen':
      await actor.post('/v1/me/keys', { label: 'More', scopes: [action.scope], counters: ['*'], supervises: ['*'] });
  }
}

describe('whoever signed up, on a live rail', () => {
  it('cannot take cash: it is nobody at a counter', async () => {
    const actor = await stranger();
    const { data: shift } = await actor.post('/v1/counter-shifts', { mda: 'URA', opening_float: 0 });
    for (const more of [{}, { shift: shift.name }]) {
      const made = await actor.post('/v1/assessments', {
        citizen: await someCitizen(rail),
        lines: await twoLines(rail),
        ...more,
      });
      await actor.post(`/v1/assessments/${made.data.name}:assess`);
      const refused = await actor.post('/v1/payment-intents', { assessment: made.data.name, channel: 'cash' });
      expect(refused).toMatchObject({ status: 403, code: 'forbidden' });
      expect(refused.json.error.details).toMatchObject([{ path: 'channel', code: 'cash_needs_counter' }]);
    }
  });

  it('makes no assessment Paid without the word of an aggregator, whatever the calls and their order', async () => {
    const actor = await stranger();
    const common = { actor, citizen: await someCitizen(rail), lines: await twoLines(rail) };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (actions) => {
        const world: World = { ...common, assessments: [], intents: [], shifts: [] };
        await perform(world, { do: 'assess', shift: false });
        for (const action of actions) await perform(world, action);
        const touched = world.assessments;
        expect(await rail.count(sql`select 1 from assessment where status = 'Paid' and name = any(${touched})`)).toBe(
          0,
        );
        expect(await rail.count(sql`select 1 from payment_event where assessment = any(${touched})`)).toBe(0);
      }),
      { numRuns: sizeOf({ fast: 6, long: 30 }) },
    );
    await expectInvariants(rail);
  });
});
