import { rolesWith } from '../../platform/access/needs.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Anomaly } from '../../generated/prisma/client.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import { getAnomaly } from './find.ts';
import { holdOpenAnomaly, requireOpen } from './resolve.ts';

/** Says who looks into an open anomaly. */
export async function assignAnomaly(call: Call, input: { id: string; assignee: string }): Promise<Anomaly> {
  const assignee = input.assignee.trim().toLowerCase();
  if (!(await mayResolve(call, assignee)))
    throw refuseValue('assignee', say`must be an admin or system manager who is bound to no agency`);
  return retryUntilSettled(async () => {
    const anomaly = await getAnomaly(call, input.id);
    requireOpen(anomaly);
    const { name, assignee: before } = anomaly;
    const held = holdOpenAnomaly(anomaly);
    // Whose it was is part of the audit row, and so of the guard.
    const changed = guard`
      update anomaly set assignee = ${assignee}, updated_at = ${call.now()}
      from ${held} where anomaly.name = ${held}.name and assignee is not distinct from ${before} returning anomaly.name`;
    const operated = {
      action: 'anomaly.assign',
      subject: name,
      before: { assignee: before },
      after: { assignee },
      reason: null,
    };
    return (await commit(call, { subject: name, guard: changed, operated })) ? getAnomaly(call, name) : undefined;
  });
}

/** True if somebody is active staff of a role that resolves anomalies, and not bound to agencies. */
async function mayResolve({ db }: Call, email: string): Promise<boolean> {
  const row = await db.row(sql`
    select from staff
    where email = ${email} and active and agencies = '{}' and roles && ${rolesWith('operations.write')}::text[]`);
  return row !== null;
}
