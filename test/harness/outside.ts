import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import type { Channel } from '../../src/generated/prisma/enums.ts';
import { SMOOTH, type ProviderBooks, type Plan } from '../../src/sandbox/simulators/books.ts';
import { type Outside, simulateOutside } from '../../src/sandbox/simulators/outside.ts';
import { type Actor, createAssessed, createPendingFor } from './flow.ts';
import { type Answer, type TestRail, testRail } from './rail.ts';

/** With no breaker in the way. */
export const PATIENCE = { timeout_ms: 10_000, breaker_failures: 1_000, breaker_rest_ms: 200 };

export const CHANNELS = ['mtn_momo', 'airtel_money', 'card'] as const satisfies Channel[];
export type LiveChannel = (typeof CHANNELS)[number];

export interface OutsideRail {
  readonly rail: TestRail;
  /** The simulators; there once the tests run. */
  readonly outside: Outside;
}

/** The rail of this test file, connected to simulators of its own. */
export function startOutsideRail(
  env: Readonly<Record<string, string>> = {},
  patience: Readonly<Record<string, number>> = {},
): OutsideRail {
  const folder = mkdtempSync(join(tmpdir(), 'rail-outside-'));
  const held: { rail: TestRail; outside: Outside } = {
    rail: testRail(async () => {
      held.outside = await simulateOutside({
        folder,
        rail: () => held.rail.origin,
        autopay: true,
        tls: env['MODE'] === 'live',
        patience: { ...PATIENCE, ...patience },
      });
      return { ...env, ...held.outside.environment };
    }),
    outside: undefined as unknown as Outside,
  };
  afterAll(async () => {
    await held.outside.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return held;
}

export function booksOf({ mtn, airtel, card }: Outside, channel: LiveChannel): ProviderBooks {
  return { mtn_momo: mtn, airtel_money: airtel, card }[channel].books;
}

export function simulatorOf({ mtn, airtel, card }: Outside, channel: LiveChannel) {
  return { mtn_momo: mtn, airtel_money: airtel, card }[channel];
}

/** Has an outside system answer nothing until it is let go. */
export function hold(trouble: Outside['mtn']['trouble']): { waiting: () => number; letGo: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  trouble.held = promise;
  const letGo = () => {
    trouble.held = null;
    resolve();
  };
  onTestFinished(letGo);
  return { waiting: () => trouble.waiting, letGo };
}

/** Has the next collections of a channel go by a plan. */
export function planNext(outside: Outside, channel: LiveChannel, plan: Partial<Plan> = {}): void {
  simulatorOf(outside, channel).control.plan = () => ({ ...SMOOTH, ...plan });
}

export interface Asked {
  readonly intent: string;
  readonly assessment: string;
  /** The rail's answer to `:initiate`. */
  readonly answer: Answer;
}

/** An assessment of two agencies, an intent over it, and a request to collect it, whatever comes of that. */
export async function collect(rail: TestRail, actor: Actor, channel: LiveChannel, msisdn?: string): Promise<Asked> {
  const assessment = await createAssessed(rail, actor);
  const intent = await createPendingFor(actor, assessment, channel);
  return { intent, assessment, answer: await initiate(actor, intent, msisdn) };
}

export function initiate(actor: Actor, intent: string, msisdn = '+256772123456'): Promise<Answer> {
  return actor.post(`/v1/payment-intents/${intent}:initiate`, { payer_msisdn: msisdn });
}

export async function statusOf(actor: Actor, intent: string): Promise<string> {
  return (await actor.ask(`/v1/payment-intents/${intent}`)).data.status as string;
}

const COLLECTION_ACCOUNTS = sql`select name, collection_account as account from mda`;

/** Checks that the aggregators' books agree with the rail's, and that nobody was charged twice. */
export async function expectBooksAgree(
  { rail, outside }: OutsideRail,
  channels: readonly LiveChannel[] = CHANNELS,
): Promise<void> {
  expect(await compareBooks(rail, outside, channels)).toEqual([]);
}

/** Differences between the aggregators' books and the rail's, and payers who were charged or paid back twice. */
export async function compareBooks(
  rail: TestRail,
  outside: Outside,
  channels: readonly LiveChannel[] = CHANNELS,
): Promise<string[]> {
  const accounts = new Map(
    (await rail.rows<{ name: string; account: string }>(COLLECTION_ACCOUNTS)).map(({ name, account }) => [
      name,
      account,
    ]),
  );
  const differences: string[] = [];
  for (const channel of channels) {
    const intents = await rail.rows<{ name: string; status: string }>(
      sql`select name, status from payment_intent where channel = ${channel}::channel and aggregator_reference is not null`,
    );
    const entries = Map.groupBy(booksOf(outside, channel).entries.values(), ({ intent }) => intent);
    const taken = new Map<string, number>();
    for (const { name, status } of intents) {
      const [entry, ...others] = entries.get(name) ?? [];
      // Whatever references it was asked for under.
      const charges = [entry, ...others].flatMap((one) => one?.charges ?? []);
      if (charges.length > 1) differences.push(`${name} was charged ${charges.length} times at ${channel}`);
      // Another amount than was asked for is nobody's collection until a person has looked at it; Airtel does not even
      // tell.
      const rightlyPaid = entry?.state === 'paid' && (entry.plan.amount === 'right' || channel === 'airtel_money');
      if ((status === 'Confirmed') !== rightlyPaid || (entry?.state === 'declined' && status !== 'Failed'))
        differences.push(`${name} is ${status}, at ${channel} it is ${entry?.state}`);
      if (status !== 'Confirmed') continue;
      for (const share of entry?.shares ?? []) taken.set(share.account, (taken.get(share.account) ?? 0) + share.amount);
    }
    const recorded = await rail.rows<{ mda: string; amount: number }>(sql`
      select e.mda, sum(e.amount)::float8 as amount from payment_event e join payment_intent i on i.name = e.intent
      where i.channel = ${channel}::channel and i.aggregator_reference is not null and i.status = 'Confirmed'
        and e.kind = 'payment' group by 1`);
    const amounts = new Map(recorded.map(({ mda, amount }) => [accounts.get(mda)!, amount]));
    for (const account of new Set([...amounts.keys(), ...taken.keys()]))
      if (amounts.get(account) !== taken.get(account))
        differences.push(
          `${account} got ${taken.get(account) ?? 0} from ${channel}, and ${amounts.get(account) ?? 0} is recorded`,
        );
    differences.push(...(await compareRefunds(rail, outside, channel)));
  }
  return differences;
}

/** Payments of which another amount went back at their aggregator than the rail has recorded, or at another number of times. */
async function compareRefunds(rail: TestRail, outside: Outside, channel: LiveChannel): Promise<string[]> {
  const refunds = await rail.rows<{ intent: string; status: string; amount: number }>(sql`
    select r.intent, r.status, r.amount::float8 as amount from refund r join payment_intent i on i.name = r.intent
    where i.channel = ${channel}::channel and r.method = 'provider' and r.status not in ('Requested', 'Declined')`);
  const isWhole = channel === 'airtel_money';
  // Airtel does not say whether it made one whose answer was lost, and gives back what it took, though that was another amount.
  const recorded = refunds.filter(({ status }) => status === 'Done' || (isWhole && status === 'Sent'));
  const made = [...booksOf(outside, channel).refunds.values()]
    .filter(({ state }) => state !== 'declined')
    .map(({ of: { intent }, amount }) => ({ intent, amount }));
  const amountsOf = (all: readonly { readonly intent: string; readonly amount: number }[], intent: string) =>
    all
      .filter((one) => one.intent === intent)
      .map(({ amount }) => (isWhole ? 'all' : String(amount)))
      .toSorted()
      .join(' and ') || 'nothing';
  return [...new Set([...refunds, ...made].map(({ intent }) => intent))]
    .map((intent) => [intent, amountsOf(recorded, intent), amountsOf(made, intent)] as const)
    .filter(([, here, there]) => here !== there)
    .map(
      ([intent, here, there]) => `of ${intent}, ${here} is recorded as paid back, and ${there} went back at ${channel}`,
    );
}
