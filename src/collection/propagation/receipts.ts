import type { NoticeReceipt } from '../../adapters/agencies/port.ts';
import { type Assessment, findAssessments } from '../assessments/find.ts';
import { snapshotAssessment, trackAssessment } from '../assessments/snapshot.ts';
import { raiseRevisions } from '../assessments/update.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Part, type TraceEntry, commitEach } from '../../platform/change/commit.ts';
import { guard, step } from '../../platform/change/step.ts';
import type { Message } from '../../platform/change/outbox.ts';
import { messagesOf } from '../../platform/change/transition.ts';
import { json, sql } from '../../platform/database/sql.ts';
import { Groups } from '../../kernel/groups.ts';
import { type Said, say } from '../../kernel/text/said.ts';
import type { Due } from './claim.ts';
import { enterReversalsOf } from './enter.ts';
import { type PropagationKind, propagationLifecycle } from './lifecycle.ts';

/** An agency that was told, and what it answered. */
export interface Accepted {
  readonly due: Due;
  readonly receipt: NoticeReceipt;
}

/** Most tries to record a receipt on an assessment that others change meanwhile. */
const MOST_TRIES = 20;

/** Records that agencies were told, in groups: answers that arrive while one is recorded go with the next. */
export class Receipts {
  readonly #groups: Groups<Accepted>;

  constructor(open: () => Call) {
    this.#groups = new Groups((accepted) => recordAll(open(), accepted));
  }

  /** Resolves once it is durable that an agency was told. */
  record(accepted: Accepted): Promise<void> {
    return this.#groups.add(accepted);
  }
}

async function recordAll(call: Call, accepted: readonly Accepted[]): Promise<void> {
  let left = accepted;
  for (let tries = 1; left.length > 0; tries++) {
    if (tries > MOST_TRIES) throw new Error(`${left.map(({ due }) => due.name).join(', ')}: no state stayed as it was`);
    // Each message of an assessment has a place of its own: of several agencies the next ones follow.
    const first = [...new Map(left.toReversed().map((one) => [one.due.assessment, one])).values()];
    const recorded = await recordOnce(call, first);
    const missed = first.filter(({ due }) => !recorded.has(due.assessment));
    const open = missed.length > 0 ? await findOpen(call, missed) : new Set<string>();
    left = left.filter((one) => !first.includes(one) || (missed.includes(one) && open.has(one.due.name)));
  }
}

/** Records one receipt for each of several assessments; the names of those that were as they had just been read. */
async function recordOnce(call: Call, accepted: readonly Accepted[]): Promise<ReadonlySet<string>> {
  const names = accepted.map(({ due }) => due.assessment);
  const assessments = await findAssessments(call, names);
  // After them: what is told meanwhile raises their revision.
  const before = await listNotified(call, names);
  const at = call.now();
  const known = accepted.flatMap((one) => {
    const assessment = assessments.get(one.due.assessment);
    return assessment ? [{ ...one, assessment }] : [];
  });
  const rows = known.map(({ due, receipt: { receipt }, assessment: { revision } }) => ({
    name: due.name,
    assessment: due.assessment,
    attempts: due.attempts,
    revision,
    receipt,
  }));
  const { from, to } = propagationLifecycle.succeed;
  const given = step('given')`
    select * from jsonb_to_recordset(${json(rows)}::jsonb)
      as g (name text, assessment text, attempts int, revision int, receipt text)`;
  // In one order, as everything is that could wait for another.
  const held = step('held')`
    select a.name, a.status from assessment a join ${given} g on g.assessment = a.name and g.revision = a.revision
    order by a.name for no key update of a`;
  const notified = step('notified')`
    update propagation p set status = ${to}, attempts = g.attempts, next_attempt_at = null, claimed_until = null,
      last_error = null, receipt = g.receipt, done_at = ${at}, updated_at = ${at}
    from ${held} h join ${given} g on g.assessment = h.name
    where p.name = g.name and p.status = any(${from})
    returning p.name, p.assessment, p.mda, p.kind, h.status as assessment_status`;
  const parts = known.map((one) => partOf(one, at, before.get(one.due.assessment) ?? []));
  return commitEach(call, guard`${raiseRevisions(sql`${notified}`, at)}`, parts, [enterReversalsOf(notified, at)]);
}

/** Record of an assessment when one more agency was notified of its payment or reversal. */
function partOf(
  { due, receipt, assessment }: Accepted & { assessment: Assessment },
  at: Date,
  before: readonly Notified[],
): Part {
  const after: Assessment = { ...assessment, revision: assessment.revision + 1, updatedAt: at };
  const { mda, kind } = due;
  const detail = { mda, receipt: receipt.receipt, response: receipt.response };
  const summary = {
    payment: say`${mda} was told of the payment`,
    reversal: say`${mda} was told of the reversal`,
  };
  return {
    name: assessment.name,
    trace: [traceNotice(due, summary[kind], detail)],
    messages: messagesOfNotified(after, [...before, { mda, kind }], kind),
  };
}

/** An agency that was told, and of what. */
export interface Notified {
  readonly mda: string;
  readonly kind: PropagationKind;
}

/** The message that an agency was notified of a payment, or of its reversal, with all those that were told by then. */
export function messagesOfNotified(after: Assessment, notified: readonly Notified[], kind: PropagationKind): Message[] {
  const snapshot = () => ({
    ...snapshotAssessment(after),
    propagated_to: codesOfNotified(notified, 'payment'),
    ...(kind === 'reversal' && { reversal_propagated_to: codesOfNotified(notified, 'reversal') }),
  });
  const edge = kind === 'payment' ? propagationLifecycle.succeed : propagationLifecycle.succeedReversal;
  return messagesOf(edge, { ...trackAssessment(after), snapshot });
}

/** The agencies that were notified of a payment, or of its reversal. */
export function codesOfNotified(notified: readonly Notified[], of: PropagationKind): string[] {
  return [...new Set(notified.filter(({ kind }) => kind === of).map(({ mda }) => mda))].toSorted();
}

/** Agencies that were notified already, and of what, by assessment. */
export async function listNotified(
  { db }: Call,
  assessments: readonly string[],
): Promise<ReadonlyMap<string, readonly Notified[]>> {
  const rows = await db.rows<Notified & { assessment: string }>(sql`
    select assessment, mda, kind from propagation
    where assessment = any(${[...assessments]}) and status = ${propagationLifecycle.succeed.to}`);
  return Map.groupBy(rows, ({ assessment }) => assessment);
}

/** Those that are still to be recorded: another process may have told them too, after this one was believed dead. */
async function findOpen({ db }: Call, accepted: readonly Accepted[]): Promise<Set<string>> {
  const names = accepted.map(({ due }) => due.name);
  const { from } = propagationLifecycle.succeed;
  const rows = await db.rows<{ name: string }>(
    sql`select name from propagation where name = any(${names}) and status = any(${from})`,
  );
  return new Set(rows.map(({ name }) => name));
}

/** A row of an assessment's timeline about telling an agency. */
export function traceNotice(
  { assessment }: Pick<Due, 'assessment'>,
  summary: Said,
  detail: Readonly<Record<string, unknown>>,
): TraceEntry {
  return { kind: 'assessment.update', assessment, summary, detail };
}
