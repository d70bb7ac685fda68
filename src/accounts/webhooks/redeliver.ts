import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { type Step, guard, statement, step } from '../../platform/change/step.ts';
import { whereNotAfter } from '../../platform/reading/conditions.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { refuseBecause, refuseValue } from '../../kernel/refusal.ts';
import { LONGEST_REASON, requireText } from '../../kernel/text/free-text.ts';
import { DAY_MS, momentOf } from '../../kernel/time.ts';
import { isOfLasting } from '../endpoints/matching.ts';
import { getIntegrator } from '../integrators/find.ts';
import { defaultOf, endpointsOfAccount, requireEndpoint } from '../endpoints/require-endpoint.ts';
import { type Delivery, getDelivery } from './find.ts';
import { type DeliveryStatus, deliveryLifecycle } from './lifecycle.ts';
import { free, isPlace, queueDeliveries } from './queue.ts';
import { say } from '../../kernel/text/said.ts';

/** True if messages are sent to an endpoint `e` at present: it was neither removed nor disabled. */
const takesMessages = sql`(e.url is not null and e.disabled_at is null)`;

/** Those of some endpoints that messages are sent to: none of them is removed before the statement is through. */
const held = (which: Sql): Step => step('held')`
  select e.name, e.is_default from webhook_endpoint e where ${which} and ${takesMessages} for key share`;

/** True if a message `d` goes to an endpoint `e`: one from before there were several goes to that of the account. */
const goesTo = sql`(d.endpoint = e.name or d.endpoint is null and e.is_default)`;

/** Values of a message that is sent again, to the endpoint `e`. */
const sentAgain = (
  status: DeliveryStatus,
  at: Date,
  endpoint = sql`e.name`,
): Sql => sql`status = ${status}, attempts = 0,
  delivered_at = null, updated_at = ${at}, endpoint = ${endpoint}`;

/** Columns of a message that is sent again, for the queue. */
const queued = sql`d.name, d.endpoint, d.object, d.sequence`;

/**
 * Sends a message again, with a full number of tries, after any earlier result. One that still waits goes at once.
 */
export function redeliver(call: Call, name: string): Promise<Delivery> {
  return sendAgain(call, name);
}

/** The same for the integrator that a message is for, by an operator who says why. */
export function redeliverAsOperator(call: Call, input: { id: string; reason: string }): Promise<Delivery> {
  return sendAgain(call, input.id, requireText('reason', input.reason, LONGEST_REASON));
}

async function sendAgain(call: Call, name: string, reason?: string): Promise<Delivery> {
  const { endpoint, integrator, status, attemptCount } = await getDelivery(call, name);
  const to = endpoint === null ? defaultOf(integrator!) : sql`name = ${endpoint}`;
  await requireEndpoint(call, to);
  const at = call.now();
  const edge = deliveryLifecycle.redeliver;
  const waits = step('waits')`
    select ${free} as free from webhook_delivery d join webhook_queue q on ${isPlace} where d.name = ${name} for update of q`;
  const changed = guard`
    update webhook_delivery d set ${sentAgain(edge.to, at)}
    from ${held(to)} e where ${goesTo} and d.name = ${name} and d.status = any(${edge.from})
      and not exists (select from ${waits} w where not w.free) returning ${queued}`;
  const operated = reason !== undefined && {
    action: 'webhook.redeliver',
    subject: name,
    before: { integrator, status, attempts: attemptCount },
    after: { integrator, status: edge.to, attempts: 0 },
    reason,
  };
  const steps = [queueDeliveries(changed, at)];
  const done = await commit(call, { subject: name, guard: changed, steps, ...(operated && { operated }) });
  if (!done) await requireEndpoint(call, to);
  if (!done) throw refuseBecause('being_sent', `${name} is being sent right now`);
  return getDelivery(call, name);
}

/** Number of messages that are sent again, and if more are left. */
export interface Redelivery {
  readonly redelivered: number;
  readonly hasMore: boolean;
  /** Dead messages of the integrator that are left, from before the span too; null if that is not counted. */
  readonly left: number | null;
}

/** The longest span that can be sent again at once. */
const MOST_DAYS = 31;

/** Sends again what was created in a span of time: that which is dead, or all. How many messages. */
export async function redeliverSpan(
  call: Call,
  input: { from: Date; to: Date; deadOnly: boolean },
): Promise<Redelivery> {
  const { from, to, deadOnly } = input;
  if (to < from) throw refuseValue('to', say`must not be earlier than ${'from'}`);
  if (momentOf(to).getTime() - from.getTime() > MOST_DAYS * DAY_MS)
    throw refuseValue('to', say`must be at most ${MOST_DAYS} days after ${'from'}`);
  const integrator = call.viewer.integrator!;
  await requireEndpoint(call, endpointsOfAccount(integrator));
  const at = call.now();
  const edge = deadOnly ? deliveryLifecycle.redeliverDead : deliveryLifecycle.redeliverAll;
  const changed = guard`
    update webhook_delivery d set ${sentAgain(edge.to, at)}
    from ${held(endpointsOfAccount(integrator))} e where ${goesTo} and d.integrator = ${integrator}
      and d.created_at >= ${from} and ${whereNotAfter(sql`d.created_at`, to)} and d.status = any(${edge.from})
    returning ${queued}`;
  const rows = await call.db.rows(statement(sql`select from ${changed}`, [queueDeliveries(changed, at)]));
  return { redelivered: rows.length, hasMore: false, left: null };
}

/** Most dead messages that an operator sends again at a time. */
export const MOST_REDELIVERED = 1_000;

/**
 * Sends again what is dead of one integrator since a moment, oldest first, and at most `MOST_REDELIVERED` of it, with
 * one entry in the operators' audit.
 */
export async function redeliverDead(
  call: Call,
  input: { integrator: string; since: Date; reason: string },
): Promise<Redelivery> {
  const { integrator, since } = input;
  const reason = requireText('reason', input.reason, LONGEST_REASON);
  await getIntegrator(call, integrator);
  await requireEndpoint(call, endpointsOfAccount(integrator));
  const { from, to } = deliveryLifecycle.redeliverDead;
  return retryUntilSettled(async () => {
    const dead = await call.db.rows<{ name: string }>(sql`
      select d.name from webhook_delivery d join webhook_endpoint e on ${goesTo} and ${takesMessages}
      where d.integrator = ${integrator} and e.integrator = ${integrator} and d.created_at >= ${since}
        and d.status = any(${from}) order by d.created_at, d.name limit ${MOST_REDELIVERED + 1}`);
    const names = dead.slice(0, MOST_REDELIVERED).map(({ name }) => name);
    const all = await call.db.row<{ count: number }>(sql`
      select count(*)::int as count from webhook_delivery d
      where d.integrator = ${integrator} and d.status = 'dead' and ${isOfLasting}`);
    const left = Math.max(0, all!.count - names.length);
    const answer = { redelivered: names.length, hasMore: dead.length > MOST_REDELIVERED, left };
    if (names.length === 0) return answer;
    const at = call.now();
    const locked = step('locked')`
      select d.name, e.name as endpoint
      from webhook_delivery d join ${held(endpointsOfAccount(integrator))} e on ${goesTo}
      where d.name = any(${names}) and d.status = any(${from}) order by d.name for update of d`;
    // All that was read, or nothing: what somebody else sends again meanwhile is not counted twice.
    const changed = guard`select from (select count(*) as found from ${locked}) l where l.found = ${names.length}::int`;
    const sent = step('sent')`
      update webhook_delivery d set ${sentAgain(to, at, sql`e.endpoint`)} from ${changed}, ${locked} e where d.name = e.name
      returning ${queued}`;
    const operated = { action: 'webhook.redeliver_dead', subject: integrator, before: null, reason };
    const after = { since, redelivered: answer.redelivered, has_more: answer.hasMore, left };
    const change = {
      subject: integrator,
      guard: changed,
      steps: [queueDeliveries(sent, at)],
      operated: { ...operated, after },
    };
    return (await commit(call, change)) ? answer : undefined;
  });
}

/** Messages that an earlier try of the request sent again, from the operators' audit. */
export async function redeliverDeadAgain({ db, once }: Call, integrator: string): Promise<Redelivery> {
  const row = await db.row<{ after: { redelivered: number; has_more: boolean; left?: number } }>(sql`
    select after from operator_audit where subject = ${integrator} and action = 'webhook.redeliver_dead'
      and request_id = ${once!.requestId}`);
  const { redelivered, has_more: hasMore, left = null } = row!.after;
  return { redelivered, hasMore, left };
}

/** The step that brings forward when what waits for an account's endpoints is tried next. */
export function bringDeliveriesForward(integrator: string, seconds: number): Step {
  return step('deliveries')`
    update webhook_queue q set next_attempt_at = next_attempt_at - ${seconds} * interval '1 second'
    from webhook_delivery d where d.name = q.delivery and d.integrator = ${integrator} returning q.delivery`;
}
