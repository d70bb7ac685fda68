import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { whereNotAfter } from '../../platform/reading/conditions.ts';
import { sql } from '../../platform/database/sql.ts';
import { refuseBecause, refuseValue } from '../../kernel/refusal.ts';
import { DAY_MS, momentOf } from '../../kernel/time.ts';
import { requireEndpoint } from './require-endpoint.ts';
import { type Delivery, getDelivery } from './find.ts';
import { deliveryLifecycle } from './lifecycle.ts';

/**
 * Sends a message again, with a full number of tries, whatever came of it before. One that still waits goes at once.
 */
export async function redeliver(call: Call, name: string): Promise<Delivery> {
  const { integrator } = call.viewer;
  await getDelivery(call, name);
  await requireEndpoint(call);
  const at = call.now();
  const { from, to } = deliveryLifecycle.redeliver;
  const changed = guard`
    update webhook_delivery set status = ${to}, attempts = 0, next_attempt_at = ${at}, delivered_at = null,
      updated_at = ${at}
    where name = ${name} and integrator = ${integrator} and status = any(${from})
      and (claimed_until is null or claimed_until <= now()) returning name`;
  const done = await commit(call, { subject: name, guard: changed });
  if (!done) throw refuseBecause('being_sent', `${name} is being sent right now`);
  return getDelivery(call, name);
}

/** The longest span that can be sent again at once. */
const MOST_DAYS = 31;

/** Sends again what was created in a span of time: that which is dead, or all. How many messages. */
export async function redeliverSpan(
  call: Call,
  input: { from: Date; to: Date; deadOnly: boolean },
): Promise<{ redelivered: number }> {
  const { from, to, deadOnly } = input;
  if (to < from) throw refuseValue('to', 'must not be earlier than from');
  if (momentOf(to).getTime() - from.getTime() > MOST_DAYS * DAY_MS)
    throw refuseValue('to', `must be at most ${MOST_DAYS} days after from`);
  await requireEndpoint(call);
  const at = call.now();
  const edge = deadOnly ? deliveryLifecycle.redeliverDead : deliveryLifecycle.redeliverAll;
  const rows = await call.db.rows(sql`
    update webhook_delivery set status = ${edge.to}, attempts = 0, next_attempt_at = ${at}, delivered_at = null,
      updated_at = ${at}
    where integrator = ${call.viewer.integrator} and created_at >= ${from} and ${whereNotAfter(sql`created_at`, to)}
      and status = any(${edge.from}) and (claimed_until is null or claimed_until <= now()) returning 1`);
  return { redelivered: rows.length };
}
