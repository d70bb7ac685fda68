import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { loadByName, nowTogether } from '../../platform/reading/batch.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import {
  type Listing,
  type Page,
  type PageArgs,
  newestFirst,
  readPage,
  readPageOf,
} from '../../platform/reading/page.ts';
import { endAccountSession } from '../../accounts/sessions/end.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { requireText } from '../../kernel/text/free-text.ts';
import { endStaffSession } from './end.ts';
import { say } from '../../kernel/text/said.ts';

/** A session of staff or of an integrator, as operators see it. */
export interface OpenSession {
  /** `SESSION-<uuid>`: what it is called is no secret, and tells nothing of its token. */
  readonly name: string;
  readonly id: string;
  readonly kind: 'staff' | 'integrator';
  readonly owner: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date | null;
  readonly expiresAt: Date;
  readonly endedAt: Date | null;
}

const sessions = sql`(
  select 'SESSION-' || id::text as name, id, 'staff' as kind, staff as owner, created_at, last_seen_at, expires_at,
    ended_at from staff_session
  union all
  select 'SESSION-' || id::text, id, 'integrator', integrator, created_at, null, expires_at, ended_at from session)`;

const columns = sql`r.name, r.id, r.kind, r.owner, r.created_at as "createdAt", r.last_seen_at as "lastSeenAt", r.expires_at as "expiresAt", r.ended_at as "endedAt"`;

const sessionSelect = sql`select ${columns} from ${sessions} r`;

/** Form of a session's name, with the ID that an index knows it by. */
export const SESSION_NAME = /^SESSION-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

function idOf(name: string): string | null {
  return SESSION_NAME.exec(name)?.[1] ?? null;
}

function isNamed(name: string): Sql | null {
  const id = idOf(name);
  return id === null ? null : sql`r.id = ${id}::uuid`;
}

export interface SessionFilter {
  readonly owner?: string | null | undefined;
  /** True if sessions that are over are listed too. */
  readonly ended: boolean;
}

function listing(call: Call, { owner, ended }: SessionFilter): Listing {
  return {
    select: sessionSelect,
    table: sessions.text,
    named: isNamed,
    ...newestFirst,
    where: [ended ? null : sql`r.ended_at is null and r.expires_at > ${nowTogether(call)}`],
    filters: [ifGiven(owner, (whose) => sql`r.owner = ${whose}`)],
  };
}

/** Sessions, newest first; those that are over only where they are asked for. */
export function listSessions(call: Call, filter: SessionFilter, page: PageArgs): Promise<Page<OpenSession>> {
  return readPage(call, listing(call, filter), page);
}

/** The sessions of one integrator or member of staff. */
export function listSessionsOf(
  call: Call,
  owner: string,
  filter: SessionFilter,
  page: PageArgs,
): Promise<Page<OpenSession>> {
  return readPageOf(call, listing(call, filter), sql`r.owner`, owner, page);
}

/** Sessions by name, those that are over among them. */
export const sessionLoader = loadByName<OpenSession>(({ db }, names) => {
  const ids = names.map(idOf).filter((id) => id !== null);
  return db.rows(sql`${sessionSelect} where r.id = any(${ids}::uuid[])`);
});

/** Ends somebody's session, from their very next request on. One that has ended stays as it is. */
export async function endSession(call: Call, input: { id: string; reason: string }): Promise<OpenSession> {
  const reason = requireText('reason', input.reason, 280);
  const before = await getSession(call, input.id);
  if (before.endedAt !== null) return before;
  const at = call.now();
  const changed =
    before.kind === 'staff' ? endStaffSession(before.id, call.viewer.actor, at) : endAccountSession(before.id, at);
  const operated = {
    action: 'session.end',
    subject: before.name,
    before: { owner: before.owner, ended_at: null },
    after: { owner: before.owner, ended_at: at },
    reason,
  };
  await commit(call, { subject: before.name, guard: guard`${changed}`, operated });
  return getSession(call, before.name);
}

export async function getSession({ db }: Call, name: string): Promise<OpenSession> {
  const row = await db.row<OpenSession>(sql`${sessionSelect} where ${isNamed(name) ?? sql`false`}`);
  if (!row) throw new Refusal('not_found', say`The session does not exist`);
  return row;
}
