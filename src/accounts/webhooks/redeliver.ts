import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { type Step, guard, step } from '../../platform/change/step.ts';
import { whereNotAfter } from '../../platform/reading/conditions.ts';
import { sql } from '../../platform/database/sql.ts';
import { refuseBecause, refuseValue } from '../../kernel/refusal.ts';
import { LONGEST_REASON, requireText } from '../../kernel/text/free-text.ts';
import { DAY_MS, momentOf } from '../../kernel/time.ts';
import { getIntegrator } from '../integrators/find.ts';
import { defaultOf, endpointsOfAccount, requireEndpoint } from './require-endpoint.ts';
import { type Delivery, getDelivery } from './find.ts';
import { deliveryLifecycle } from './lifecycle.ts';
import { say } from '../../kernel/text/said.ts';

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
  // What was delivered before there were several went to the endpoint of the account.
  const to = endpoint === null ? defaultOf(integrator!) : sql`name = ${endpoint}`;
  await requireEndpoint(call, to);
  const at = call.now();
  const edge = deliveryLifecycle.redeliver;
  const changed = guard`
    update webhook_delivery set status = ${edge.to}, attempts = 0, next_attempt_at = ${at}, delivered_at = null,
      updated_at = ${at}, endpoint = coalesce(endpoint, (select e.name from webhook_endpoint e where ${to}))
    where name = ${name} and status = any(${edge.from})
      and (claimed_until is null or claimed_until <= now()) returning name`;
  const operated = reason !== undefined && {
    action: 'webhook.redeliver',
    subject: name,
    before: { integrator, status, attempts: attemptCount },
    after: { integrator, status: edge.to, attempts: 0 },
    reason,
  };
  const done = await commit(call, { subject: name, guard: changed, ...(operated && { operated }) });
  if (!done) throw refuseBecause('being_sent', `${name} is being sent right now`);
  return getDelivery(call, name);
}

/** How many messages are sent again, and whether more of them are left. */
export interface Redelivery {
  readonly redelivered: number;
  readonly hasMore: boolean;
  /** How many dead messages of the integrator are left, those from before the span too; null where that is not counted. */
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
  const rows = await call.db.rows(sql`
    update webhook_delivery set status = ${edge.to}, attempts = 0, next_attempt_at = ${at}, delivered_at = null,
      updated_at = ${at}, endpoint = coalesce(endpoint, (select e.name from webhook_endpoint e where ${defaultOf(integrator)}))
    where integrator = ${integrator} and created_at >= ${from} and ${whereNotAfter(sql`created_at`, to)}
      and status = any(${edge.from}) and (claimed_until is null or claimed_until <= now()) returning 1`);
  return { redelivered: rows.length, hasMore: false, left: null };
}

/** How many dead messages an operator sends again at a time. */
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
      select name from webhook_delivery where integrator = ${integrator} and created_at >= ${since}
        and status = any(${from}) order by created_at, name limit ${MOST_REDELIVERED + 1}`);
    const names = dead.slice(0, MOST_REDELIVERED).map(({ name }) => name);
    const all = await call.db.row<{ count: number }>(sql`
      select count(*)::int as count from webhook_delivery where integrator = ${integrator} and status = 'dead'`);
    const left = Math.max(0, all!.count - names.length);
    const answer = { redelivered: names.length, hasMore: dead.length > MOST_REDELIVERED, left };
    if (names.length === 0) return answer;
    const at = call.now();
    const locked = step('locked')`
      select name from webhook_delivery where name = any(${names}) and status = any(${from}) order by name for update`;
    // All that was read, or nothing: what somebody else sends again meanwhile is not counted twice.
    const changed = guard`select from (select count(*) as found from ${locked}) l where l.found = ${names.length}::int`;
    const sent = step('sent')`
      update webhook_delivery d set status = ${to}, attempts = 0, next_attempt_at = ${at}, delivered_at = null,
        updated_at = ${at} from ${changed} where d.name in (select name from ${locked})`;
    const operated = { action: 'webhook.redeliver_dead', subject: integrator, before: null, reason };
    const after = { since, redelivered: answer.redelivered, has_more: answer.hasMore, left };
    const change = { subject: integrator, guard: changed, steps: [sent], operated: { ...operated, after } };
    return (await commit(call, change)) ? answer : undefined;
  });
}

/** What an earlier try of the request sent again, as the operators' audit has it. */
export async function redeliverDeadAgain({ db, once }: Call, integrator: string): Promise<Redelivery> {
  const row = await db.row<{ after: { redelivered: number; has_more: boolean; left?: number } }>(sql`
    select after from operator_audit where subject = ${integrator} and action = 'webhook.redeliver_dead'
      and request_id = ${once!.requestId}`);
  const { redelivered, has_more: hasMore, left = null } = row!.after;
  return { redelivered, hasMore, left };
}

/** The step that gives up what waits for an endpoint, where a guard removes that. */
export function giveUpOn(endpoint: string, changed: Step, at: Date): Step {
  const { from, to } = deliveryLifecycle.giveUp;
  return step('given_up')`
    update webhook_delivery d set status = ${to}, next_attempt_at = null, claimed_until = null, updated_at = ${at}
    from ${changed} where d.endpoint = ${endpoint} and d.status = any(${from})`;
}

/** The step that brings forward when what waits for an account's endpoints is tried next. */
export function bringDeliveriesForward(integrator: string, seconds: number): Step {
  return step('deliveries')`
    update webhook_delivery set next_attempt_at = next_attempt_at - ${seconds} * interval '1 second'
    where integrator = ${integrator} and status = 'pending' returning name`;
}
