import type { Tracked } from '../../../platform/change/transition.ts';
import { formatDay } from '../../../kernel/time.ts';
import type { Refund } from './find.ts';
import type { Share } from './shares.ts';

/** A refund as integrators get it: the shape of `GET /v1/refunds/{name}`. */
export function snapshotRefund(refund: Refund, shares: readonly Share[]) {
  return {
    name: refund.name,
    intent: refund.intent,
    assessment: refund.assessment,
    amount: refund.amount.toNumber(),
    currency: refund.currency,
    shares: shares.map(({ idx, mda, amount }) => ({ idx: idx || null, mda, amount: amount.toNumber() })),
    reason_code: refund.reasonCode,
    method: refund.method,
    booked: refund.booked,
    status: refund.status,
    provider_reference: refund.providerReference,
    paid_on: refund.paidOn && formatDay(refund.paidOn),
    shift: refund.shift,
    failure_reason: refund.failureReason,
    approved_at: refund.approvedAt,
    done_at: refund.doneAt,
    created_at: refund.createdAt,
    updated_at: refund.updatedAt,
  };
}

/** A refund with its place in the timeline of its payment, for a change of its state. */
export function trackRefund(refund: Refund, shares: readonly Share[]): Tracked {
  const { name, assessment, intent, integrator, revision } = refund;
  return {
    kind: 'payment_intent.update',
    name,
    assessment,
    intent,
    integrator,
    revision,
    snapshot: () => snapshotRefund(refund, shares),
  };
}
