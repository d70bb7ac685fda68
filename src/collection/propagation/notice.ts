import type { PaymentNotice, ReversalNotice } from '../../adapters/agencies/port.ts';
import { Decimal, sum } from '../../kernel/money.ts';
import type { Refund, RefundShare } from '../../generated/prisma/client.ts';
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

/**
 * The notice of the reversal by a cancellation: the same with negative amounts, less what refunds gave back, and the
 * reason.
 */
export function reversalNoticeOf(
  { lines, ...assessment }: Assessment,
  notice: PaymentNotice,
  returned: readonly Pick<RefundShare, 'idx' | 'amount'>[],
  receipt: string | null,
): ReversalNotice {
  const own = lines.filter(({ mda }) => mda === notice.mda);
  const backOf = (idx: number) => sum(returned.filter((share) => share.idx === idx).map(({ amount }) => amount));
  return {
    ...notice,
    amount: -new Decimal(notice.amount).minus(sum(returned.map(({ amount }) => amount))).toNumber(),
    lines: notice.lines.map((line, index) => ({
      ...line,
      amount: -own[index]!.amount.minus(backOf(own[index]!.idx)).toNumber(),
    })),
    type: 'reversed',
    reversed_at: assessment.cancelledAt,
    reason: assessment.cancelReason,
    receipt_number: receipt,
    refund: null,
  };
}

/** A refund, and the shares of it that one agency gives back. */
interface Refunded {
  readonly refund: Pick<Refund, 'name' | 'reasonCode' | 'doneAt'>;
  readonly shares: readonly Pick<RefundShare, 'idx' | 'amount'>[];
}

/** The notice of a refund: the lines of the agency that it gives back, with as much of them. */
export function refundNoticeOf(
  { lines }: Pick<Assessment, 'lines'>,
  notice: PaymentNotice,
  { refund, shares }: Refunded,
  receipt: string | null,
): ReversalNotice {
  return {
    ...notice,
    amount: -sum(shares.map(({ amount }) => amount)).toNumber(),
    lines: shares.flatMap(({ idx, amount }) => {
      const line = lines.find((one) => one.idx === idx);
      if (!line) return [];
      const { service, serviceName, quantity } = line;
      return [{ service, service_name: serviceName, quantity, amount: -amount.toNumber() }];
    }),
    type: 'reversed',
    reversed_at: refund.doneAt,
    reason: refund.reasonCode,
    receipt_number: receipt,
    refund: refund.name,
  };
}

/**
 * The key by which an agency recognises a repeated notice: of its payment, of its reversal, and of one sent again
 * after it had rejected it.
 */
export function noticeKeyOf({ assessment, mda, kind, refund, rejections }: Due): string {
  const about = kind === 'reversal' ? [refund ?? kind] : [];
  return [assessment, mda, ...about, ...(rejections > 0 ? [rejections] : [])].join(':');
}
