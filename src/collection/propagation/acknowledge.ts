import type { Propagation } from '../../generated/prisma/client.ts';
import { type Finding, raiseAnomalies } from '../anomalies/raise.ts';
import { type Assessment, getAssessment } from '../assessments/find.ts';
import { snapshotAssessment, trackAssessment } from '../assessments/snapshot.ts';
import { raiseRevisions } from '../assessments/update.ts';
import type { Call } from '../../platform/call/call.ts';
import { always, commit } from '../../platform/change/commit.ts';
import { type Step, guard, step } from '../../platform/change/step.ts';
import { messagesOf } from '../../platform/change/transition.ts';
import { sql } from '../../platform/database/sql.ts';
import { allows } from '../../kernel/lifecycle.ts';
import { say } from '../../kernel/text/said.ts';
import { enterReversalsOf } from './enter.ts';
import { type PropagationKind, type PropagationStatus, propagationLifecycle } from './lifecycle.ts';
import { codesOfNotified, listNotified, messagesOfNotified, traceNotice } from './receipts.ts';

/** Decision on an agency's callback about a notice. */
type Decision = 'receipt_recorded' | 'already_recorded' | 'notice_rejected' | 'already_rejected';

interface Decided {
  readonly decision: Decision;
  readonly object: string;
}

/** The step that stores the decision with the change. */
type Store = (changed: Step, decided: Decided) => Step;

/**
 * Records that an agency issued a receipt, and so was notified, even if the rail does not know it. Undefined if another
 * change was faster: read again.
 */
export async function acknowledgeNotice(
  call: Call,
  notice: Propagation,
  { receipt, eventId }: { readonly receipt: string; readonly eventId: string },
  store: Store,
): Promise<Decided | undefined> {
  const { name, mda } = notice;
  const { receive, acknowledge } = propagationLifecycle;
  if (allows(receive, notice.status as PropagationStatus) && notice.receipt === receipt)
    return noteUnchanged(call, { decision: 'already_recorded', object: name }, store);
  const kind = notice.kind as PropagationKind;
  const wasNotified = allows(receive, notice.status as PropagationStatus);
  const assessment = await getAssessment(call, notice.assessment);
  const notified = (await listNotified(call, [assessment.name])).get(assessment.name) ?? [];
  const at = call.now();
  const acknowledged = updateNotice(
    notice,
    assessment,
    sql`status = ${acknowledge.to}, receipt = ${receipt}, next_attempt_at = null, claimed_until = null,
      last_error = null, done_at = coalesce(p.done_at, ${at}), updated_at = ${at}`,
  );
  const raised = (by: number): Assessment => ({ ...assessment, revision: assessment.revision + by, updatedAt: at });
  const after = raised(wasNotified ? 1 : 2);
  const by = wasNotified ? notified : [...notified, { mda, kind }];
  const snapshot = () => ({ ...withNotified(after, by), receipt: { mda, kind, number: receipt } });
  const changed = guard`${raiseRevisions(sql`${acknowledged}`, at, wasNotified ? 1 : 2)}`;
  const decided: Decided = { decision: 'receipt_recorded', object: name };
  const summary = {
    payment: say`${mda} issued a receipt for the payment`,
    reversal: say`${mda} issued a receipt for the reversal`,
  };
  const done = await commit(call, {
    subject: null,
    guard: changed,
    steps: [enterReversalsOf(acknowledged, at), store(changed, decided)],
    trace: [traceNotice(notice, summary[kind], { mda, receipt, event_id: eventId })],
    messages: [
      ...(wasNotified ? [] : messagesOfNotified(raised(1), by, kind)),
      ...messagesOf(receive, { ...trackAssessment(after), snapshot }),
    ],
  });
  return done ? decided : undefined;
}

/**
 * Records that an agency rejects a notice: it counts as not notified until an operator sends the notice again. A rejected
 * payment needs no notice of its reversal. Undefined if another change was faster: read again.
 */
export async function rejectNotice(
  call: Call,
  notice: Propagation,
  { reason, eventId }: { readonly reason: string; readonly eventId: string },
  store: Store,
): Promise<Decided | undefined> {
  const { name, mda } = notice;
  const { reject } = propagationLifecycle;
  if (!allows(reject, notice.status as PropagationStatus))
    return noteUnchanged(call, { decision: 'already_rejected', object: name }, store);
  const kind = notice.kind as PropagationKind;
  const assessment = await getAssessment(call, notice.assessment);
  const notified = (await listNotified(call, [assessment.name])).get(assessment.name) ?? [];
  const at = call.now();
  const rejected = updateNotice(
    notice,
    assessment,
    sql`status = ${reject.to}, rejections = p.rejections + 1, maybe_told = false, next_attempt_at = null,
      claimed_until = null, last_error = ${reason}, done_at = null, updated_at = ${at}`,
  );
  const withdrawn = step('untold')`
    update propagation r set status = 'dead', next_attempt_at = null, claimed_until = null,
      last_error = 'The agency rejected the payment', updated_at = ${at}
    from ${rejected} p where r.name = p.name || '.reversal' and r.status = 'pending'`;
  const after: Assessment = { ...assessment, revision: assessment.revision + 1, updatedAt: at };
  const left = notified.filter((one) => one.mda !== mda || one.kind !== kind);
  const snapshot = () => ({ ...withNotified(after, left), rejection: { mda, kind, reason } });
  const evidence = { assessment: assessment.name, notice: name, of: kind, status: notice.status, event_id: eventId };
  const finding: Finding = { kind: 'notice_rejected', subject: name, mdas: [mda], evidence };
  const changed = guard`${raiseRevisions(sql`${rejected}`, at)}`;
  const decided: Decided = { decision: 'notice_rejected', object: name };
  const summary = {
    payment: say`${mda} rejected the notice of the payment`,
    reversal: say`${mda} rejected the notice of the reversal`,
  };
  const done = await commit(call, {
    subject: null,
    guard: changed,
    steps: [withdrawn, store(changed, decided), ...(await raiseAnomalies(call, changed, [finding]))],
    trace: [traceNotice(notice, summary[kind], { mda, reason, event_id: eventId })],
    messages: messagesOf(reject, { ...trackAssessment(after), snapshot }),
  });
  return done ? decided : undefined;
}

/** Changes a notice, if it and its assessment are as they were read. The assessment is locked first, as everywhere. */
function updateNotice(
  { name, status, receipt, rejections }: Propagation,
  assessment: Assessment,
  set: ReturnType<typeof sql>,
): Step {
  const held = step('held')`
    select name, status from assessment where name = ${assessment.name} and revision = ${assessment.revision}
    for no key update`;
  return step('notified')`
    update propagation p set ${set}
    from ${held} h where p.name = ${name} and p.status = ${status} and p.receipt is not distinct from ${receipt}
      and p.rejections = ${rejections}
    returning p.name, p.assessment, p.mda, p.kind, h.status as assessment_status`;
}

async function noteUnchanged(call: Call, decided: Decided, store: Store): Promise<Decided> {
  await commit(call, { subject: null, guard: always, steps: [store(always, decided)] });
  return decided;
}

function withNotified(assessment: Assessment, notified: Parameters<typeof codesOfNotified>[0]) {
  return { ...snapshotAssessment(assessment), propagated_to: codesOfNotified(notified, 'payment') };
}
