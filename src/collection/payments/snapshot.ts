import type { Tracked } from '../../platform/change/transition.ts';
import type { PaymentIntent } from './find.ts';

/** A payer's number as it may be shown: its last three digits. */
export function maskMsisdn(msisdn: string | null): string | null {
  return msisdn && '*'.repeat(Math.max(0, msisdn.length - 3)) + msisdn.slice(-3);
}

/** An intent as integrators are told of it: the shape of `GET /v1/payment-intents/{name}`. */
export function snapshotIntent(intent: PaymentIntent) {
  return {
    name: intent.name,
    assessment: intent.assessment,
    channel: intent.channel,
    status: intent.status,
    amount: intent.amount.toNumber(),
    currency: intent.currency,
    splits: intent.splits.map(({ mda, amount }) => ({ mda, amount: amount.toNumber() })),
    aggregator: intent.aggregator,
    aggregator_reference: intent.aggregatorReference,
    payer_msisdn: maskMsisdn(intent.payerMsisdn),
    failure_reason: intent.failureReason,
    initiated_at: intent.initiatedAt,
    confirmed_at: intent.confirmedAt,
    expires_at: intent.expiresAt,
    created_at: intent.createdAt,
    updated_at: intent.updatedAt,
  };
}

/** An intent with its place in the timeline, for a change of its state. */
export function trackIntent(intent: PaymentIntent): Tracked {
  const { name, assessment, integrator, revision } = intent;
  return {
    kind: 'payment_intent.update',
    name,
    assessment,
    intent: name,
    integrator,
    revision,
    snapshot: () => snapshotIntent(intent),
  };
}
