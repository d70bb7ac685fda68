import type { Call } from '../../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import { type Step, guard, step } from '../../../platform/change/step.ts';
import { transition } from '../../../platform/change/transition.ts';
import { type Sql, sql } from '../../../platform/database/sql.ts';
import { allows } from '../../../kernel/lifecycle.ts';
import { refuseBecause } from '../../../kernel/refusal.ts';
import { updateFromAggregator } from './enquire.ts';
import { type PaymentIntent, getIntent } from '../find.ts';
import { intentLifecycle } from '../lifecycle.ts';
import { trackIntent } from '../snapshot.ts';

const BATCH = 200;
/** Aggregators that are asked at a time. */
const AT_ONCE = 20;
/** Hours for which an aggregator that does not answer delays the end of an intent. */
const PATIENCE_HOURS = 24;

/**
 * Expires the intents that nobody confirmed in time; how many they were. The aggregator that was asked to collect is
 * asked how it went first: what was paid does not expire. An intent that changes meanwhile, or whose aggregator does
 * not answer, is left to the next run.
 */
export async function expireOverdue(call: Call): Promise<number> {
  const names = [...call.rail.aggregators.keys()];
  const each = [...names.map((name) => sql`aggregator = ${name}`), sql`aggregator <> all(${names})`];
  const expired = await Promise.all(each.map((whose) => expireOverdueOf(call, whose)));
  return expired.reduce((sum, count) => sum + count, 0);
}

/** By aggregator, so that one that does not answer holds up nobody else's; what was never sent waits for nobody. */
async function expireOverdueOf(call: Call, whose: Sql): Promise<number> {
  const overdue = await call.db.rows<{ name: string }>(sql`
    select name from payment_intent where ${whose} and status in ('Pending', 'Sent') and expires_at <= ${call.now()}
    order by aggregator_reference is not null, expires_at limit ${BATCH}`);
  let expired = 0;
  for (let start = 0; start < overdue.length; start += AT_ONCE) {
    const outcomes = await Promise.all(overdue.slice(start, start + AT_ONCE).map(({ name }) => expire(call, name)));
    expired += outcomes.filter(Boolean).length;
  }
  return overdue.length === BATCH && expired > 0 ? expired + (await expireOverdueOf(call, whose)) : expired;
}

async function expire(call: Call, name: string): Promise<boolean> {
  const before = await getIntent(call, name);
  if (before.aggregatorReference !== null && call.rail.aggregators.get(before.aggregator)?.adapter.enquirable) {
    const said = await retryUntilSettled(() => updateFromAggregator(call, name));
    if (said === 'unanswered' && call.now().getTime() < before.expiresAt.getTime() + PATIENCE_HOURS * 3_600_000)
      return false;
  }
  return close(call, await getIntent(call, name));
}

/** Expires an overdue intent without asking its aggregator; nothing where it has changed meanwhile. */
export async function expireUnasked(call: Call, name: string): Promise<void> {
  await close(call, await getIntent(call, name));
}

/** Expires an intent that its aggregator lets nobody pay any more; nothing where it has changed meanwhile. */
export async function expireWithdrawn(call: Call, name: string): Promise<void> {
  await close(call, { ...(await getIntent(call, name)), expiresAt: call.now() });
}

/** Expires an intent of a sandbox before its time, and without asking its aggregator. */
export async function expireNow(call: Call, name: string): Promise<void> {
  await retryUntilSettled(async () => {
    const intent = await getIntent(call, name);
    if (!allows(intentLifecycle.expire, intent.status))
      throw refuseBecause('not_pending', `${name} is ${intent.status}, and expires no more`);
    return (await close(call, { ...intent, expiresAt: call.now() })) || undefined;
  });
}

/** The step that brings forward when an account's open intents expire, and are enquired about. */
export function bringIntentsForward(integrator: string, seconds: number): Step {
  return step('intents')`
    update payment_intent set expires_at = expires_at - ${seconds} * interval '1 second',
      enquire_at = enquire_at - ${seconds} * interval '1 second'
    where integrator = ${integrator} and status = any(${intentLifecycle.expire.from}::intent_status[]) returning name`;
}

async function close(call: Call, intent: PaymentIntent): Promise<boolean> {
  if (!allows(intentLifecycle.expire, intent.status)) return false;
  const at = call.now();
  const expired = { ...intent, status: intentLifecycle.expire.to, revision: intent.revision + 1, updatedAt: at };
  const { name, status, revision, expiresAt } = expired;
  if (expiresAt > at) return false;
  const changed = guard`
    update payment_intent set status = ${status}::intent_status, revision = ${revision}, expires_at = ${expiresAt},
      updated_at = ${at}
    where name = ${name} and revision = ${intent.revision}
      and status = any(${intentLifecycle.expire.from}::intent_status[])
    returning name`;
  return commit(call, {
    subject: name,
    guard: changed,
    trace: [transition(trackIntent(expired), intentLifecycle.expire, intent.status, { expires_at: intent.expiresAt })],
  });
}
