import { type Step, step } from '../../platform/change/step.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Purging, purgeRows } from '../../platform/change/purge.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { DAY_MS } from '../../kernel/time.ts';

/** Days for which past sessions can be seen. */
const SESSION_DAYS = 90;

/** Ends a session of staff, from its very next request on; a row where it had not ended. Null: there is none. */
export function endStaffSession(id: string | null, by: string, at: Date): Sql {
  return sql`update staff_session set ended_at = ${at}, ended_by = ${by} where id = ${id}::uuid and ended_at is null returning id, signed_on as "signedOn"`;
}

/**
 * The step that notes the end of all sessions of the members of staff whose `email` a step yields, except one that is
 * kept. What ends them is that the same statement begins a new `generation` of each: no session that is opened
 * meanwhile outlives it.
 */
export function endSessionsOf(changed: Step, by: string, at: Date, kept: string | null = null): Step {
  return step('ended')`
    update staff_session s set ended_at = ${at}, ended_by = ${by}
    from ${changed} c where s.staff = c.email and s.ended_at is null and s.id is distinct from ${kept}::uuid`;
}

/**
 * The steps that end all sessions of the caller but the one that asks, which goes on in the new `generation` that a step
 * yields with their `email`.
 */
export function endOtherSessions({ viewer, now }: Call, renewed: Step, secondFactor: boolean | null = null): Step[] {
  const kept = step('kept')`
    update staff_session s set generation = r.generation,
      second_factor = coalesce(${secondFactor}::boolean, s.second_factor)
    from ${renewed} r where s.id = ${viewer.session}::uuid`;
  return [kept, endSessionsOf(renewed, viewer.actor, now(), viewer.session)];
}

/** Forgets sessions of long ago; how many. */
export async function purgeStaffSessions(purging: Purging): Promise<number> {
  const before = new Date(purging.now().getTime() - SESSION_DAYS * DAY_MS);
  return purgeRows(purging, 'staff_session', sql`expires_at < ${before}`);
}
