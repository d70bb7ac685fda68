import { randomUUID } from 'node:crypto';
import { COOKIES, setCookie } from '../../platform/access/cookies.ts';
import { hashSessionToken, makeSessionToken } from '../../platform/access/session-token.ts';
import type { Call } from '../../platform/call/call.ts';
import { rememberBrowser } from '../../platform/call/concurrency/senders.ts';
import { type Step, guard, statement, step } from '../../platform/change/step.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { endStaffSession } from './end.ts';

const SESSION_HOURS = 12;
/** Most sessions of somebody at a time; with one more, the oldest is over. */
const MOST_SESSIONS = 10;

/** Owner of a new session, and its grounds. */
export interface Opening {
  readonly email: string;
  /** True if its owner has shown a second factor, or the identity provider says so. */
  readonly secondFactor: boolean;
  /** True if it is opened at the identity provider; left out: by password. */
  readonly signedOn?: boolean;
  /** Condition that still has to hold for the member of staff, `staff u`. */
  readonly provided: Sql;
  /** A step that has to yield a row, such as the use of a code. */
  readonly proof?: Step | null;
  /** Further steps with it, which take their rows from the step that they are handed, with the ID of the session. */
  readonly also?: (opened: Step, id: string) => readonly Step[] | Promise<readonly Step[]>;
}

/**
 * Opens a session of an active member of staff, always under a new secret; the session that the browser had is over.
 * Its cookie goes with the answer. It is of the generation that its owner has when it is written: one that begins
 * meanwhile ends it too. Null: the grounds no longer hold.
 */
export async function openStaffSession(call: Call, opening: Opening): Promise<string | null> {
  const { email, secondFactor, signedOn = false, provided, proof = null, also = () => [] } = opening;
  const at = call.now();
  const id = randomUUID();
  const cookie = makeSessionToken();
  const proved = proof === null ? sql`true` : sql`exists (select from ${proof})`;
  const opened = step('opened')`
    insert into staff_session (id, staff, hash, generation, second_factor, signed_on, created_at, last_seen_at, expires_at)
    select ${id}::uuid, m.email, ${hashSessionToken(cookie)}, m.generation, ${secondFactor}, ${signedOn},
      ${at}::timestamptz, ${at}::timestamptz, ${new Date(at.getTime() + SESSION_HOURS * 3_600_000)}::timestamptz
    from (select u.email, u.generation from staff u where u.email = ${email} and u.active and ${provided} for share) m
    where ${proved}
    returning id`;
  const before = call.viewer.kind === 'staff' ? call.viewer.session : null;
  const replaced = step('replaced')`${endStaffSession(before, email, at)}`;
  const crowded = step('crowded')`
    update staff_session set ended_at = ${at}, ended_by = ${email} where id in (
      select id from staff_session
      where staff = ${email} and ended_at is null and expires_at > ${at} and id is distinct from ${before}::uuid
        and exists (select from ${opened})
      order by created_at desc, id desc offset ${MOST_SESSIONS - 1})`;
  const others = await also(opened, id);
  const row = await call.db.row(statement(sql`select id from ${opened}`, [opened, replaced, crowded, ...others]));
  if (!row) return null;
  call.transport.cookies.push(setCookie(call, COOKIES.staff, cookie, SESSION_HOURS * 3_600));
  rememberBrowser(call, email);
  return id;
}

/** The step that has the caller's session count as opened with a second factor, once a step yields the proof. */
export function countAsProven({ viewer }: Call, proof: Step): Step {
  return guard`
    update staff_session s set second_factor = true from ${proof} p
    where s.id = ${viewer.session}::uuid and s.staff = p.email and s.ended_at is null returning s.id, s.staff as email`;
}
