import type { Call } from '../../../platform/call/call.ts';
import type { TraceEntry } from '../../../platform/change/commit.ts';
import { type Step, step } from '../../../platform/change/step.ts';
import { sum } from '../../../kernel/money.ts';
import { getIntent } from '../find.ts';
import { draftRefund, insertRefunds, insertShares, subjectOf, traceRequest } from './draft.ts';
import { methodsOf, readLeftOf } from './refundable.ts';

/**
 * The steps of a cancellation that open a refund of what it reverses of each payment, so that the money follows the books.
 * They are Approved already: those who may reverse have decided on it.
 */
export async function openBookedRefunds(
  call: Call,
  changed: Step,
  intents: readonly string[],
  reason: string | null,
): Promise<{ steps: Step[]; trace: TraceEntry[] }> {
  const drafted = await Promise.all(
    intents.map(async (name) => {
      const [intent, shares] = await Promise.all([getIntent(call, name), readLeftOf(call, name)]);
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
