import type { PaymentNotice, ReversalNotice } from '../../adapters/agencies/port.ts';
import { sum } from '../../kernel/money.ts';
import type { Assessment } from '../assessments/find.ts';
import type { Due } from './claim.ts';

/** The notice to an agency of its part of a paid assessment: what it was paid, which splits may set apart from its lines. */
export function paymentNoticeOf(
  { name, currency, paidAt, lines }: Assessment,
  { mda, paid }: Pick<Due, 'mda' | 'paid'>,
): PaymentNotice {
  const own = lines.filter((line) => line.mda === mda);
  return {
    assessment: name,
    mda,
    currency,
    amount: (paid ?? sum(own.map(({ amount }) => amount))).toNumber(),
    paid_at: paidAt,
    lines: own.map(({ service, serviceName, quantity, amount }) => ({
      service,
      service_name: serviceName,
      quantity,
      amount: amount.toNumber(),
    })),
  };
}

/** The notice of the reversal: the same with negative amounts, and the reason. */
export function reversalNoticeOf(
  assessment: Assessment,
  notice: PaymentNotice,
  receipt: string | null,
): ReversalNotice {
  return {
    ...notice,
    amount: -notice.amount,
    lines: notice.lines.map((line) => ({ ...line, amount: -line.amount })),
    type: 'reversed',
    reversed_at: assessment.cancelledAt,
    reason: assessment.cancelReason,
    receipt_number: receipt,
  };
}

/**
 * The key by which an agency recognises a repeated notice: of its payment, of its reversal, and of one sent again
 * after it had rejected it.
 */
export function noticeKeyOf({ assessment, mda, kind, rejections }: Due): string {
  return [assessment, mda, ...(kind === 'reversal' ? [kind] : []), ...(rejections > 0 ? [rejections] : [])].join(':');
}
