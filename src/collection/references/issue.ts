import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard, step } from '../../platform/change/step.ts';
import { violatedUniqueOf } from '../../platform/database/errors.ts';
import { sql } from '../../platform/database/sql.ts';
import { refuseOtherCurrency } from '../../kernel/money.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { type Assessment, getAssessment } from '../assessments/find.ts';
import { refuseUnpayable } from '../assessments/payable.ts';
import { raiseRevisions } from '../assessments/update.ts';
import { notifyPayer } from '../citizens/messages/queue.ts';
import { type Reference, findOwnIssued } from './find.ts';
import { referenceStatusOf } from './lifecycle.ts';
import { drawNumber } from './number.ts';
import { type ReferenceDraft, insertReferences, traceIssue, withdrawReference } from './steps.ts';

/** For how many days a reference can be paid at most. */
export const MOST_DAYS = 90;
/** For how many, where nothing else is said. */
export const DEFAULT_DAYS = 21;

/**
 * Issues a number by which an Assessed assessment can be paid. The one that it has is answered while it can be paid;
 * one that expired is withdrawn.
 */
export function issueReference(
  call: Call,
  input: { readonly assessment: string; readonly expiresInDays: number; readonly currency?: string | null | undefined },
): Promise<Reference> {
  return retryUntilSettled(async () => {
    const assessment = await getAssessment(call, input.assessment);
    refuseUnpayable(call, assessment, 'reference_not_payable', 'name');
    refuseOtherCurrency(input.currency, assessment.currency);
    const at = call.now();
    const before = await findOwnIssued(call, assessment.name);
    if (before && referenceStatusOf(before, at) === 'Issued') return before;
    return insert(call, assessment, {
      number: drawNumber(),
      at,
      expiresAt: new Date(at.getTime() + input.expiresInDays * DAY_MS),
    });
  });
}

async function insert(
  call: Call,
  assessment: Assessment,
  draft: Pick<ReferenceDraft, 'number' | 'at' | 'expiresAt'>,
): Promise<Reference | undefined> {
  const { number, at, expiresAt } = draft;
  const { name, integrator, totalAmount: amount, currency } = assessment;
  const held = step('held')`
    select a.name as assessment from assessment a
    where a.name = ${name} and a.revision = ${assessment.revision} and a.status = 'Assessed' for no key update of a`;
  // The guard reads the withdrawal of one that expired, so that an assessment never has two.
  const withdrawn = withdrawReference(held, name, at);
  const free = sql`(select h.assessment as name from ${held} h left join ${withdrawn} w on w.assessment = h.assessment)`;
  const changed = guard`${insertReferences(free, [{ ...draft, assessment: name, integrator, amount, currency }])}`;
  const notification = { kind: 'reference_issued', assessment: name, intent: null, subject: number } as const;
  const notifying = await notifyPayer(call, changed, [notification], at);
  try {
    const done = await commit(call, {
      subject: number,
      guard: changed,
      steps: [step('parent')`${raiseRevisions(sql`${held}`, at)}`, ...notifying],
      trace: [traceIssue({ ...draft, assessment: name, amount, currency })],
    });
    if (!done) return undefined;
  } catch (error) {
    // The number stands for another assessment.
    if (violatedUniqueOf(error) !== 'payment_reference_pkey') throw error;
    return undefined;
  }
  return {
    name: number,
    number,
    assessment: name,
    integrator,
    amount,
    currency,
    status: 'Issued',
    expiresAt,
    paidBy: null,
    revision: 1,
    createdAt: at,
    updatedAt: at,
  };
}
