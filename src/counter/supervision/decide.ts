import { findOpenAnomaly, getAnomaly } from '../../collection/anomalies/find.ts';
import {
  holdOpenAnomaly,
  noteResolution,
  requireOpen,
  resolveAnomaly,
  resolveWith,
} from '../../collection/anomalies/resolve.ts';
import type { StaffNeed } from '../../platform/access/needs.ts';
import { namesOf, refuseDependent } from '../../platform/access/independence.ts';
import { findRefusal } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Anomaly } from '../../generated/prisma/client.ts';
import { allows } from '../../kernel/lifecycle.ts';
import { Refusal, refuseBecause, refuseValue } from '../../kernel/refusal.ts';
import { readText, requireText } from '../../kernel/text/free-text.ts';
import { changeShift } from '../shifts/change.ts';
import { type Shift, reviewShift } from '../shifts/find.ts';
import { type VarianceDecision, type VarianceVerdict, varianceLifecycle } from '../shifts/lifecycle.ts';
import { say } from '../../kernel/text/said.ts';

export interface Deciding {
  readonly name: string;
  readonly note?: string | null | undefined;
  /** True resolves the anomaly that the variance raised, if it is open. */
  readonly resolveAnomaly?: boolean | null | undefined;
}

/**
 * Decides on the variance of a closed shift. Nobody decides on a shift of their own, nor on one of somebody
 * whom they are not independent of, in any role and with any credential.
 */
export function decideVariance(call: Call, decision: VarianceDecision, input: Deciding): Promise<Shift> {
  const note = readText('note', input.note);
  const resolving = input.resolveAnomaly === true;
  if (resolving) requireNeed(call, 'reviews');
  return retryUntilSettled(async () => {
    const { name } = input;
    const raised = resolving ? await findOpenAnomaly(call, 'cash_variance', name) : null;
    if (raised && note === null) throw refuseValue('note', say`is required`);
    const decided = await decide(call, decision, { name, note, raised, subject: name });
    return decided ? reviewShift(call, name) : undefined;
  });
}

/** Resolves an anomaly together with the variance that raised it, or, without a decision, alone. */
export function resolveWithVariance(
  call: Call,
  input: { id: string; note: string; variance?: VarianceVerdict | null | undefined },
): Promise<Anomaly> {
  const { variance } = input;
  if (!variance) return resolveAnomaly(call, input);
  requireNeed(call, 'supervision.write');
  const note = requireText('note', input.note);
  return retryUntilSettled(async () => {
    const raised = await getAnomaly(call, input.id);
    const { name, kind, subject: shift } = raised;
    if (kind !== 'cash_variance')
      throw refuseBecause('no_variance', `${name} was not raised by a variance`, 'variance');
    requireOpen(raised);
    const decided = await decide(call, variance, { name: shift, note, raised, subject: name });
    return decided ? getAnomaly(call, name) : undefined;
  });
}

function requireNeed({ viewer }: Call, need: StaffNeed): void {
  const refusal = findRefusal(viewer, need);
  if (refusal) throw refusal;
}

interface Decided {
  readonly name: string;
  readonly note: string | null;
  /** The open anomaly that is resolved with it. */
  readonly raised: Anomaly | null;
  /** Docname that a repetition of the request is answered with. */
  readonly subject: string;
}

/** Decides once on a shift as it is; false: it is not so any more. */
async function decide(call: Call, decision: VarianceDecision, { note, raised, subject, ...of }: Decided) {
  const { from, to } = varianceLifecycle[decision];
  const shift = await reviewShift(call, of.name);
  const { name, status, varianceStatus } = shift;
  if (namesOf(call.viewer).includes(shift.clerk))
    throw new Refusal('forbidden', say`You cannot decide on your own shift`);
  await refuseDependent(call, [shift.clerk, shift.integrator]);
  if (note === null && decision !== 'approve') throw refuseValue('note', say`is required`);
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
    raised ? sql`exists (select from ${holdOpenAnomaly(raised)})` : sql`true`,
  );
  const operated = {
    action: `variance.${decision}`,
    subject: name,
    before: { variance_status: varianceStatus },
    after: { variance_status: to },
    reason: note,
  };
  if (!raised || note === null) return commit(call, { subject, guard: changed, operated });
  return commit(call, {
    subject,
    guard: changed,
    steps: [resolveWith(call, changed, [raised], note)],
    operated: [operated, noteResolution(raised, note)],
  });
}
