import type { Call } from '../../../platform/call/call.ts';
import type { TraceEntry } from '../../../platform/change/commit.ts';
import { type Step, step } from '../../../platform/change/step.ts';
import { columnsOf } from '../../../platform/database/record.ts';
import { sql } from '../../../platform/database/sql.ts';
import { sum } from '../../../kernel/money.ts';
import { withdrawEach } from '../../approvals/ask.ts';
import { getIntent } from '../find.ts';
import { refundApprovals } from './approval.ts';
import { type Drafted, draftRefund, insertRefunds, insertShares, subjectOf, traceRequest } from './draft.ts';
import { type Refund, readSharesOf } from './find.ts';
import { refundLifecycle } from './lifecycle.ts';
import { methodsOf, readLeftOf } from './refundable.ts';
import { type Share, mergeShares } from './shares.ts';
import { traceRefund } from './snapshot.ts';

/** The refunds of the payments of an assessment that wait for a decision: a cancellation declines them. */
export async function readWaiting(call: Call, assessment: string): Promise<Drafted[]> {
  const waiting = await call.db.rows<Refund>(sql`
    select ${columnsOf('Refund')} from refund r
    where r.assessment = ${assessment} and r.intent is not null and r.status = 'Requested' order by r.name`);
  return Promise.all(
    waiting.map(async (refund): Promise<Drafted> => ({ refund, shares: await readSharesOf(call, refund.name) })),
  );
}

/** The rows of a step that holds the assessment, while the refunds that were read still wait. New ones change its revision. */
export function whileWaiting(held: Step, waiting: readonly Drafted[]): Step {
  if (waiting.length === 0) return held;
  const locked = step('waiting')`
    select r.name from ${held}, refund r where r.name = any(${waiting.map(({ refund }) => refund.name)})
      and r.status = any(${refundLifecycle.decline.from}::refund_status[]) for no key update of r`;
  return step('still_waiting')`
    select h.name from ${held} h where (select count(*) from ${locked}) = ${waiting.length}`;
}

/**
 * The steps of a cancellation that decline refunds which wait for a decision, and end their requests: at its own moment,
 * by which the shares of its events are found.
 */
export function declineWaiting(
  call: Call,
  changed: Step,
  waiting: readonly Drafted[],
  at: Date,
): { steps: Step[]; trace: TraceEntry[] } {
  if (waiting.length === 0) return { steps: [], trace: [] };
  const { decline } = refundLifecycle;
  const names = waiting.map(({ refund }) => refund.name);
  const declined = step('declined')`
    update refund r set status = ${decline.to}::refund_status, revision = r.revision + 1, updated_at = ${at}
    from ${changed} where r.name = any(${names})`;
  return {
    steps: [declined, withdrawEach(call, refundApprovals, changed, names, 'The assessment was cancelled')],
    trace: waiting.flatMap(({ refund, shares }) => {
      const after = { ...refund, status: decline.to, revision: refund.revision + 1, updatedAt: at };
      return traceRefund(after, shares, decline, refund.status, { reason: 'The assessment was cancelled' });
    }),
  };
}

/**
 * The steps of a cancellation that open a refund of what it reverses of each payment, so that the money follows the books.
 * They are Approved already: those who may reverse have decided on it.
 */
export async function openBookedRefunds(
  call: Call,
  changed: Step,
  intents: readonly string[],
  waiting: readonly Drafted[],
  reason: string | null,
): Promise<{ steps: Step[]; trace: TraceEntry[] }> {
  const drafted = await Promise.all(
    intents.map(async (name) => {
      const [intent, left] = await Promise.all([getIntent(call, name), readLeftOf(call, name)]);
      const declined = waiting
        .filter(({ refund }) => refund.intent === name)
        .flatMap((one): readonly Share[] => one.shares);
      const shares = mergeShares([...left, ...declined]);
      const whole = sum(shares.map(({ amount }) => amount));
      const method = methodsOf(call, intent, whole).find(
        (one) => one.method !== 'cash' && (one.partial || whole.equals(intent.amount)),
      )?.method;
      const refund = await draftRefund(call, subjectOf(intent, shares), {
        method: method ?? 'transfer',
        reasonCode: 'other',
        note: reason ?? 'The assessment was cancelled',
        providerReference: null,
        booked: true,
        isApproved: true,
      });
      return { refund, shares };
    }),
  );
  if (drafted.length === 0) return { steps: [], trace: [] };
  const inserted = insertRefunds(changed, drafted, step('refunds'));
  return {
    steps: [inserted, insertShares(inserted, drafted)],
    trace: drafted.flatMap(({ refund, shares }) => traceRequest(refund, shares)),
  };
}
