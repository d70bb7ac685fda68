import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import type { Anomaly } from '../../generated/prisma/client.ts';
import { allows } from '../../kernel/lifecycle.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { requireText } from '../../kernel/text/free-text.ts';
import { getAnomaly } from './find.ts';
import { anomalyLifecycle } from './lifecycle.ts';

/** Notes what came of looking into an anomaly. */
export function resolveAnomaly(call: Call, input: { id: string; note: string }): Promise<Anomaly> {
  const note = requireText('note', input.note);
  const { from, to } = anomalyLifecycle.resolve;
  return retryUntilSettled(async () => {
    const { name, status } = await getAnomaly(call, input.id);
    if (!allows(anomalyLifecycle.resolve, status))
      throw new Refusal('validation_failed', `${name} is already ${status}`);
    const changed = guard`
      update anomaly set status = ${to}::anomaly_status, resolved_at = ${call.now()},
        resolved_by = ${call.viewer.actor}, resolution = ${note}
      where name = ${name} and status = any(${from}::anomaly_status[]) returning name`;
    const operated = {
      action: 'anomaly.resolve',
      subject: name,
      before: { status },
      after: { status: to },
      reason: note,
    };
    return (await commit(call, { subject: name, guard: changed, operated })) ? getAnomaly(call, name) : undefined;
  });
}
