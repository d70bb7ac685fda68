import { type Finding, raiseAnomalies } from '../../anomalies/raise.ts';
import { type Assessment, findAssessment } from '../../assessments/find.ts';
import { assessmentLifecycle } from '../../assessments/lifecycle.ts';
import { snapshotAssessment } from '../../assessments/snapshot.ts';
import { raiseRevisions } from '../../assessments/update.ts';
import type { Call } from '../../../platform/call/call.ts';
import { always, commit } from '../../../platform/change/commit.ts';
import { guard, step } from '../../../platform/change/step.ts';
import { sql } from '../../../platform/database/sql.ts';
import { sum } from '../../../kernel/money.ts';
import { say } from '../../../kernel/text/said.ts';
import { type Decided, type StoreDecision, UNKNOWN } from './decisions.ts';
import type { PushData } from './push-event.ts';

/** A difference between an agency and an assessment. */
interface Difference {
  readonly mda: string;
  readonly service: string;
  /** Amount of the assessment's lines. */
  readonly amount: number;
  /** Amount that the agency says. */
  readonly agency_amount: number;
}

/**
 * Compares what an agency says is owed with its lines of an assessment, and flags where they differ. No amount is
 * touched: what is assessed is for people to change. Undefined: someone was faster, read again.
 */
export async function flagBill(
  call: Call,
  agencies: readonly string[],
  input: { readonly object: string; readonly data: PushData<'bill.changed'>; readonly eventId: string },
  store: StoreDecision,
): Promise<Decided | undefined> {
  const assessment = await findAssessment(call, input.object);
  const differences = assessment && (await compare(call, assessment, agencies, input.data.lines));
  if (!assessment || !differences) return UNKNOWN;
  const { name: object, integrator } = assessment;
  const open = [...assessmentLifecycle.assess.from, ...assessmentLifecycle.settle.from].some(
    (status) => status === assessment.status,
  );
  if (!open || differences.length === 0) {
    const decided: Decided = { decision: open ? 'bill_unchanged' : 'assessment_closed', object };
    await commit(call, { subject: null, guard: always, steps: [store(always, decided)] });
    return decided;
  }
  const at = call.now();
  const revision = assessment.revision + 1;
  const held = step('held')`
    select name as assessment from assessment where name = ${object} and revision = ${assessment.revision}
    for no key update`;
  const changed = guard`${raiseRevisions(sql`${held}`, at)}`;
  const decided: Decided = { decision: 'bill_flagged', object };
  const mdas = [...new Set(differences.map(({ mda }) => mda))];
  const finding: Finding = {
    kind: 'bill_changed',
    subject: object,
    mdas,
    evidence: { assessment: object, differences, event_id: input.eventId },
  };
  const after: Assessment = { ...assessment, revision, updatedAt: at };
  const payload = { ...snapshotAssessment(after), differences };
  const done = await commit(call, {
    subject: null,
    guard: changed,
    steps: [store(changed, decided), ...(await raiseAnomalies(call, changed, [finding]))],
    trace: [
      {
        kind: 'assessment.update',
        assessment: object,
        summary: say`${mdas.join(', ')} says that another amount is owed`,
        detail: { differences, reason: input.data.reason ?? null, event_id: input.eventId },
      },
    ],
    messages: [{ type: 'assessment.bill_changed', object, sequence: revision, integrator, payload }],
  });
  return done ? decided : undefined;
}

/** Differences; null if a service is named that is no line of these agencies. */
async function compare(
  { db }: Call,
  { lines }: Assessment,
  agencies: readonly string[],
  named: PushData<'bill.changed'>['lines'],
): Promise<Difference[] | null> {
  const own = lines.filter(({ mda }) => agencies.includes(mda));
  const codes = await db.rows<{ name: string; code: string }>(
    sql`select name, code from service where name = any(${own.map(({ service }) => service)})`,
  );
  // An agency may name a service as often as the assessment has it.
  const stated = Map.groupBy(
    named,
    ({ service }) => codes.find(({ name, code }) => [name, code].includes(service))?.name,
  );
  if (stated.has(undefined)) return null;
  return [...stated].flatMap(([service, parts]) => {
    const meant = own.filter((line) => line.service === service);
    const [assessed, owed] = [meant, parts].map((all) => sum(all.map(({ amount }) => amount)));
    return assessed!.equals(owed!)
      ? []
      : [{ mda: meant[0]!.mda, service: service!, amount: assessed!.toNumber(), agency_amount: owed!.toNumber() }];
  });
}
