import type { TraceEntry } from '../../../platform/change/commit.ts';
import { type Tracked, transition } from '../../../platform/change/transition.ts';
import type { Edge } from '../../../kernel/lifecycle.ts';
import { formatDay } from '../../../kernel/time.ts';
import type { Refund } from './find.ts';
import type { Share } from './shares.ts';

/** A refund as integrators get it: the shape of `GET /v1/refunds/{name}`. */
export function snapshotRefund(refund: Refund, shares: readonly Share[]) {
  return {
    name: refund.name,
    intent: refund.intent,
    assessment: refund.assessment,
    money: refund.money,
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

/** The change of a refund's state in the timeline of its assessment; nothing for money that is for none. */
export function traceRefund<Status extends string>(
  refund: Refund,
  shares: readonly Share[],
  edge: Edge<Status>,
  from: Status,
  detail: Readonly<Record<string, unknown>> = {},
): TraceEntry[] {
  const tracked = trackRefund(refund, shares);
  return tracked ? [transition(tracked, edge, from, detail)] : [];
}

/** A refund with its place in the timeline of its assessment; null without one. */
export function trackRefund(refund: Refund, shares: readonly Share[]): Tracked | null {
  const { name, assessment, intent, integrator, revision } = refund;
  if (assessment === null) return null;
  return {
    kind: 'payment_intent.update',
    name,
    assessment,
    ...(intent !== null && { intent }),
    integrator,
    revision,
    snapshot: () => snapshotRefund(refund, shares),
  };
}
