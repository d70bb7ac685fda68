import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { loadByName } from '../../platform/reading/batch.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import { type Page, type PageArgs, newestFirst, readPage } from '../../platform/reading/page.ts';
import { sql } from '../../platform/database/sql.ts';
import { endAccountSession } from '../../accounts/sessions/end.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { requireText } from '../../kernel/text/free-text.ts';
import { endStaffSession } from './end.ts';

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

/** Sessions, newest first; those that are over only where they are asked for. */
export function listSessions(
  call: Call,
  filter: { owner?: string | null | undefined; ended: boolean },
  page: PageArgs,
): Promise<Page<OpenSession>> {
  const live = filter.ended ? null : sql`r.ended_at is null and r.expires_at > ${call.now()}`;
  return readPage(
    call,
    {
      select: sql`select ${columns} from ${sessions} r`,
      table: sessions.text,
      ...newestFirst,
      where: [live],
      filters: [ifGiven(filter.owner, (owner) => sql`r.owner = ${owner}`)],
    },
    page,
  );
}

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

/** Sessions by what they are called. */
export const sessionLoader = loadByName<OpenSession>(({ db }, names) =>
  db.rows(sql`select ${columns} from ${sessions} r where r.name = any(${names})`),
);

export async function getSession(call: Call, name: string): Promise<OpenSession> {
  const session = await sessionLoader.load(call, name);
  if (!session) throw new Refusal('not_found', 'The session does not exist');
  return session;
}
