import { covers } from '../../../platform/access/grants.ts';
import { takesApproval } from '../../approvals/kinds.ts';
import { type Assessment, getAssessment } from '../../assessments/find.ts';
import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { mayBeKnown } from '../../propagation/known.ts';
import { type PaymentEvent, eventsOfAssessment } from '../find.ts';
import { isPaidFor, requireCancellable } from './reversible.ts';

/** Effects of cancelling an assessment. */
export interface CancellationPreview {
  readonly assessment: Assessment;
  /** Reason why it would be refused to the caller; null if it would not. */
  readonly refusal: Refusal | null;
  readonly takesApproval: boolean;
  /** The payments that would be reversed. */
  readonly payments: readonly PaymentEvent[];
  /** The codes of agencies that would be notified, as far as the caller may see them. */
  readonly notified: readonly string[];
}

export async function previewCancellation(call: Call, name: string): Promise<CancellationPreview> {
  const assessment = await getAssessment(call, name);
  const isPaid = assessment.status === 'Paid';
  return {
    assessment,
    refusal: await findRefusalOf(call, assessment),
    takesApproval: isPaidFor(assessment) && takesApproval(call),
    payments: isPaid ? (await eventsOfAssessment(call, name)).filter(({ kind }) => kind === 'payment') : [],
    notified: isPaid ? await findNotified(call, name) : [],
  };
}

async function findRefusalOf(call: Call, assessment: Assessment): Promise<Refusal | null> {
  try {
    await requireCancellable(call, assessment);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** The agencies that may know of the payment, or are being notified: each is notified of the reversal too. */
async function findNotified({ db, viewer }: Call, assessment: string): Promise<string[]> {
  const rows = await db.rows<{ mda: string }>(sql`
    select p.mda from propagation p
    where p.assessment = ${assessment} and p.kind = 'payment' and (p.status = 'pending' or ${mayBeKnown}) order by p.mda`);
  return rows.map(({ mda }) => mda).filter((mda) => covers(viewer.agencies, mda));
}
