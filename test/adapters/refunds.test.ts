import { beforeAll, describe, expect, it } from 'vitest';
import { lookForAnomalies } from '../../src/collection/anomalies/search.ts';
import { payDueRefunds } from '../../src/collection/payments/refunds/paying/provider.ts';
import { actAsSystem } from '../../src/platform/access/viewer.ts';
import { callOf } from '../../src/platform/call/call.ts';
import { sql } from '../../src/platform/database/sql.ts';
import type { RefundPlan } from '../../src/sandbox/simulators/books.ts';
import { expectInvariants } from '../harness/chaos/invariants.ts';
import { type Actor, TWO_LINES_TOTAL, makeActor } from '../harness/flow.ts';
import {
  CHANNELS,
  type LiveChannel,
  booksOf,
  collect,
  planNext,
  simulatorOf,
  startOutsideRail,
  statusOf,
} from '../harness/outside.ts';
import { type StaffActor, makeStaff } from '../harness/people/staff.ts';
import type { Answer } from '../harness/rail.ts';

const held = startOutsideRail({}, { timeout_ms: 1_500 });
const { rail } = held;

let actor: Actor;
let finance: StaffActor;

beforeAll(async () => {
  actor = await makeActor(rail);
  finance = await makeStaff(rail, 'finance_officer');
});

const payDue = () => payDueRefunds(callOf(rail.rail, actAsSystem('job:refund'), 'test'));
/** Makes the next enquiry about each refund due. */
const comeDue = () => rail.rows(sql`update refund set enquire_at = ${rail.rail.now()} where enquire_at is not null`);
/** Has the providers asked so many times, as their turns come. */
const payFor = async (rounds: number) => {
  for (let round = 0; round < rounds; round++) {
    await payDue();
    await comeDue();
  }
};
const reasonOf = ({ status, json }: Answer) => [status, json.error?.details?.[0]?.code];
const ask = (intent: string, more: object = {}) =>
  finance.post('/v1/refunds', { intent, reason_code: 'duplicate', ...more });
const read = async (name: string) => (await finance.ask(`/v1/refunds/${name}`)).data;

async function paid(channel: LiveChannel): Promise<string> {
  planNext(held.outside, channel);
  const { intent } = await collect(rail, actor, channel);
  await expect.poll(() => booksOf(held.outside, channel).byIntent(intent)?.state).toBe('paid');
  expect((await actor.post(`/v1/payment-intents/${intent}:confirm`)).status).toBeLessThan(500);
  expect(await statusOf(actor, intent)).toBe('Confirmed');
  return intent;
}

/** A refund of a payment, which goes so at its provider. */
async function asked(channel: LiveChannel, plan: Partial<RefundPlan> = {}, more: object = {}) {
  const intent = await paid(channel);
  const books = booksOf(held.outside, channel);
  books.refundPlan = { outcome: 'paid', answer: 'given', ...plan };
  const answer = await ask(intent, more);
  expect(answer.data).toMatchObject({ status: 'Approved', method: 'provider' });
  const refunds = () => [...books.refunds.values()].filter(({ of }) => of.intent === intent);
  return { intent, name: answer.data.name as string, books, refunds };
}

describe.each(CHANNELS)('a refund by %s', (channel) => {
  it('goes back the way it came, and is recorded once it is paid', async () => {
    const { intent, name, refunds } = await asked(channel);
    await payFor(3);
    const refund = await read(name);
    expect(refund).toMatchObject({ status: 'Done', amount: TWO_LINES_TOTAL, paid_on: null });
    expect(refunds().map(({ amount, state }) => [amount, state])).toEqual([[TWO_LINES_TOTAL, 'paid']]);
    expect(refund.provider_reference).toContain(refunds()[0]!.txnId);
    const events = (await actor.ask(`/v1/payment-events?intent=${intent}`)).data as {
      txn_id: string;
      refund: string;
    }[];
    expect(events.filter((event) => event.refund === name).map((event) => event.txn_id)).toEqual([
      refund.provider_reference,
      refund.provider_reference,
    ]);
  });

  it('happens once, however many processes take it at once', async () => {
    const { name, refunds } = await asked(channel);
    await Promise.all([payDue(), payDue(), payDue()]);
    await comeDue();
    await payFor(2);
    expect((await read(name)).status).toBe('Done');
    expect(refunds()).toHaveLength(1);
  });

  it('is asked about where the answer was lost, and happens once', async () => {
    const { name, books, refunds } = await asked(channel, { answer: 'cut' });
    await payDue();
    expect((await read(name)).status).toBe('Approved');
    books.refundPlan = { outcome: 'paid', answer: 'given' };
    await comeDue();
    await payFor(2);
    expect(refunds()).toHaveLength(1);
    if (channel !== 'airtel_money') return expect((await read(name)).status).toBe('Done');
    // It does not say whether it made it: somebody looks it up.
    expect((await read(name)).status).toBe('Sent');
    const proof = { reference: refunds()[0]!.txnId, paid_on: rail.rail.now().toISOString().slice(0, 10) };
    expect((await finance.post(`/v1/refunds/${name}:prove`, proof)).data).toMatchObject({
      status: 'Done',
      method: 'provider',
    });
  });

  it('is asked for again where the provider never got it', async () => {
    const { name, refunds } = await asked(channel);
    const { trouble } = simulatorOf(held.outside, channel);
    trouble.down = 'refusing';
    await payDue();
    trouble.down = 'no';
    expect(refunds()).toEqual([]);
    await comeDue();
    await payFor(10);
    expect((await read(name)).status).toBe('Done');
    expect(refunds()).toHaveLength(1);
  });

  it('fails with the reason of the provider, and is paid by transfer then', async () => {
    const { intent, name, refunds } = await asked(channel, { outcome: 'declined' });
    await payFor(3);
    const { status, failure_reason: reason, provider_reference: number } = await read(name);
    expect([status, typeof reason, number]).toEqual(['Failed', channel === 'card' ? 'object' : 'string', null]);
    expect(refunds().every(({ state }) => state === 'declined')).toBe(true);
    const [message] = await rail.rows<{ type: string }>(
      sql`select type from outbox where object = ${name} order by sequence desc limit 1`,
    );
    expect(message!.type).toBe('refund.failed');
    const proof = { reference: 'FT1', paid_on: rail.rail.now().toISOString().slice(0, 10) };
    expect((await finance.post(`/v1/refunds/${name}:prove`, proof)).data).toMatchObject({
      status: 'Done',
      method: 'transfer',
    });
    expect(reasonOf(await ask(intent))).toEqual([422, 'refund_not_possible']);
  });
});

describe('what a provider refunds', () => {
  it('stays Sent until the provider says that it is paid', async () => {
    const { name, refunds } = await asked('mtn_momo', { outcome: 'pending' });
    await payFor(2);
    expect((await read(name)).status).toBe('Sent');
    refunds()[0]!.state = 'paid';
    await payFor(1);
    expect((await read(name)).status).toBe('Done');
  });

  it('is a part where it gives back parts, and else a transfer', async () => {
    const part = { amount: 5_000 };
    const { name, refunds } = await asked('mtn_momo', {}, part);
    await payFor(2);
    expect((await read(name)).status).toBe('Done');
    expect(refunds()[0]!.amount).toBe(5_000);
    const whole = await paid('airtel_money');
    expect(reasonOf(await ask(whole, { ...part, method: 'provider' }))).toEqual([422, 'refund_not_possible']);
    expect((await ask(whole, part)).data).toMatchObject({ method: 'transfer' });
  });

  it('is one of a payment where it cannot tell two apart', async () => {
    const { intent, name } = await asked('card', {}, { amount: 5_000 });
    await payFor(2);
    expect((await read(name)).status).toBe('Done');
    expect((await ask(intent, { amount: 5_000 })).data).toMatchObject({ method: 'transfer' });
  });

  it('is found behind an earlier one of the payment that failed, where its answer was lost', async () => {
    const { intent, books } = await asked('card', { outcome: 'declined' });
    await payFor(2);
    books.refundPlan = { outcome: 'paid', answer: 'cut' };
    const { data: again } = await ask(intent);
    expect(again.method).toBe('provider');
    await payFor(2);
    expect((await read(again.name)).status).toBe('Done');
  });

  it('fails at once where another try cannot change the refusal, also under 500', async () => {
    const { name, refunds } = await asked('mtn_momo', { outcome: 'refused' });
    await payFor(1);
    expect(await read(name)).toMatchObject({
      status: 'Failed',
      failure_reason: expect.stringContaining('PAYEE_NOT_FOUND'),
    });
    expect(refunds()).toEqual([]);
  });

  it('fails where its provider can no longer be asked, and was not asked before', async () => {
    const { intent, name } = await asked('mtn_momo');
    await rail.tamper(`update payment_intent set aggregator = 'gone' where name = '${intent}'`);
    await payFor(1);
    expect(await read(name)).toMatchObject({
      status: 'Failed',
      failure_reason: 'The rail can no longer ask the provider for refunds',
    });
  });

  it('raises an anomaly where it is not known for a day, and another where agencies owe the collector', async () => {
    const { name } = await asked('mtn_momo', { outcome: 'pending' });
    await payFor(1);
    await rail.rows(sql`update refund set asked_at = asked_at - interval '25 hours' where name = ${name}`);
    await lookForAnomalies(callOf(rail.rail, actAsSystem('job:look_for_anomalies'), 'test'));
    const kinds = async (subject: string) =>
      rail.rows<{ kind: string; mdas: string[] }>(sql`select kind, mdas from anomaly where subject = ${subject}`);
    expect(await kinds(name)).toEqual([{ kind: 'refund_stuck', mdas: ['URA', 'URSB'] }]);
    const { name: returned } = await asked('card');
    await payFor(1);
    expect((await kinds(returned)).map(({ kind }) => kind)).toEqual(['refund_to_recover']);
  });

  it('leaves what holds after any fault', () => expectInvariants(rail));
});
