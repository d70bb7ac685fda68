import type { Call } from '../../platform/call/call.ts';
import type { Operated } from '../../platform/change/operation.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { type Step, guard, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Anomaly } from '../../generated/prisma/client.ts';
import { allows } from '../../kernel/lifecycle.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { requireText } from '../../kernel/text/free-text.ts';
import { refuseOwnAnomaly } from './about-own.ts';
import { getAnomaly } from './find.ts';
import { anomalyLifecycle } from './lifecycle.ts';
import { say } from '../../kernel/text/said.ts';

const { from, to } = anomalyLifecycle.resolve;

/** Notes what came of looking into an anomaly. */
export function resolveAnomaly(call: Call, input: { id: string; note: string }): Promise<Anomaly> {
  const note = requireText('note', input.note);
  return retryUntilSettled(async () => {
    const anomaly = await getAnomaly(call, input.id);
    requireOpen(anomaly);
    await refuseOwnAnomaly(call, anomaly);
    return (await resolveOpen(call, anomaly, note)) ? getAnomaly(call, anomaly.name) : undefined;
  });
}

/** Resolves an anomaly that is open; false where it no longer is. */
export function resolveOpen(call: Call, anomaly: Anomaly, note: string): Promise<boolean> {
  const { name } = anomaly;
  const held = holdOpenAnomaly(anomaly);
  const changed = guard`update anomaly set ${resolved(call, note)} from ${held} where anomaly.name = ${held}.name returning anomaly.name`;
  return commit(call, { subject: name, guard: changed, operated: noteResolution(anomaly, note) });
}

/** Refuses what is no longer open. */
export function requireOpen({ name, status }: Anomaly): void {
  if (!allows(anomalyLifecycle.resolve, status))
    throw new Refusal('validation_failed', say`${name} is already ${status}`);
}

/** A row where an anomaly is open, which then stays so until the statement is done. */
export function holdOpenAnomaly({ name }: Anomaly): Step {
  return step('anomaly_held')`
    select name from anomaly where name = ${name} and status = any(${from}::anomaly_status[]) for no key update`;
}

/** The step that resolves anomalies with another change. */
export function resolveWith(call: Call, changed: Step, anomalies: readonly Anomaly[], note: string): Step {
  return step('resolved')`
    update anomaly set ${resolved(call, note)}
    where name = any(${anomalies.map(({ name }) => name)}) and exists (select from ${changed})`;
}

/** Entry of a resolution in the operators' audit. */
export function noteResolution({ name, status }: Anomaly, note: string): Operated {
  return { action: 'anomaly.resolve', subject: name, before: { status }, after: { status: to }, reason: note };
}

function resolved({ viewer, now }: Call, note: string) {
  return sql`
    status = ${to}::anomaly_status, resolved_at = ${now()}, resolved_by = ${viewer.actor}, resolution = ${note},
    snoozed_until = null, updated_at = ${now()}`;
}
