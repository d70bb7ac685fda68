import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { allKinds } from './kinds.ts';

/** Ends the requests that nobody decided in time; how many. */
export async function expireApprovals(call: Call): Promise<number> {
  const at = call.now();
  const due = await call.db.rows<{ name: string; kind: string; subject: string; askedBy: string }>(sql`
    select name, kind, subject, asked_by as "askedBy" from approval where status = 'Pending' and expires_at <= ${at}`);
  let expired = 0;
  for (const { name, kind, subject, askedBy } of due) {
    const changed = guard`
      update approval set status = 'Expired', decided_by = ${call.viewer.actor}, decided_at = ${at}, updated_at = ${at}
      where name = ${name} and status = 'Pending' and expires_at <= ${at} returning kind, subject`;
    const lapsed = await allKinds()
      .find((one) => one.kind === kind)
      ?.lapse?.(call, changed, subject);
    const before = { asked_by: askedBy };
    const operated = { action: 'approval.expire', subject, before, after: { approval: name, kind }, reason: null };
    if (await commit(call, { ...lapsed, subject: null, guard: changed, operated })) expired++;
  }
  return expired;
}
