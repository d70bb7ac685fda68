import type { PaymentNotice, ReversalNotice } from '../../adapters/agencies/port.ts';
import { sum } from '../../kernel/money.ts';
import type { Assessment } from '../assessments/find.ts';
import type { Due } from './claim.ts';

/** The notice to an agency of its part of a paid assessment. */
export function paymentNoticeOf({ name, currency, paidAt, lines }: Assessment, mda: string): PaymentNotice {
  const own = lines.filter((line) => line.mda === mda);
  return {
    assessment: name,
    mda,
    currency,
    amount: sum(own.map(({ amount }) => amount)).toNumber(),
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
export function reversalNoticeOf(assessment: Assessment, mda: string, receipt: string | null): ReversalNotice {
  const notice = paymentNoticeOf(assessment, mda);
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
