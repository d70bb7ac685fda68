import { commandLine } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { sql } from '../../platform/database/sql.ts';
import { allows } from '../../kernel/lifecycle.ts';
import { Refusal, refuseBecause, refuseValue } from '../../kernel/refusal.ts';
import { readText } from '../../kernel/text/free-text.ts';
import { changeShift } from '../shifts/change.ts';
import { type Shift, reviewShift } from '../shifts/find.ts';
import { type VarianceDecision, varianceLifecycle } from '../shifts/lifecycle.ts';

/**
 * Decides on the variance of a closed shift. Four eyes: nobody on a shift of their own, whatever their role and by
 * whatever credential.
 */
export function decideVariance(
  call: Call,
  decision: VarianceDecision,
  input: { name: string; note?: string | null | undefined },
): Promise<Shift> {
  const note = readText('note', input.note);
  const { from, to } = varianceLifecycle[decision];
  return retryUntilSettled(async () => {
    const shift = await reviewShift(call, input.name);
    const { name, status, varianceStatus } = shift;
    if (await isOwn(call, shift)) throw new Refusal('forbidden', 'You cannot decide on your own shift');
    if (note === null && decision !== 'approve') throw refuseValue('note', 'is required');
    if (varianceStatus === null)
      throw refuseBecause('no_variance', status === 'Closed' ? `${name} has no variance` : `${name} is ${status}`);
    if (!allows({ from }, varianceStatus))
      throw refuseBecause('variance_decided', `The variance of ${name} is already ${varianceStatus}`);
    const { actor, issuedBy } = call.viewer;
    const changed = changeShift(
      call,
      shift,
      sql`
        variance_status = ${to}::variance_status, variance_note = coalesce(${note}, variance_note),
          variance_decided_by = ${actor},
        variance_key_issued_by = ${issuedBy}, variance_decided_at = ${call.now()}`,
    );
    const operated = {
      action: `variance.${decision}`,
      subject: name,
      before: { variance_status: varianceStatus },
      after: { variance_status: to },
      reason: note,
    };
    return (await commit(call, { subject: name, guard: changed, operated })) ? reviewShift(call, name) : undefined;
  });
}

/**
 * Whether a shift is the caller's own. Who issued a key could use it themselves, so they count as its holder on both
 * sides: of the key that decides, and of those that the shift may have been worked with. A key issued by the command
 * line has no such holder.
 */
async function isOwn({ db, viewer }: Call, { clerk, integrator }: Shift): Promise<boolean> {
  const deciding = [viewer.actor, viewer.issuedBy].filter((who) => who !== null && who !== commandLine.actor);
  if (deciding.includes(clerk)) return true;
  if (integrator === null) return false;
  return (
    (await db.row(
      sql`select 1 from api_key where integrator = ${integrator} and issued_by = any(${deciding}) limit 1`,
    )) !== null
  );
}
