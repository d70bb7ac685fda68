import type { Tracked } from '../../platform/change/transition.ts';
import type { Message } from '../../platform/change/outbox.ts';
import type { PaymentEvent as EventRecord } from '../../generated/prisma/client.ts';
import type { Decimal } from '../../kernel/money.ts';
import { snapshotLabels } from '../assessments/labels.ts';
import type { PaymentIntent } from './find.ts';

/** A payer's number as it may be shown: its last three digits. */
export function maskMsisdn(msisdn: string | null): string | null {
  return msisdn && '*'.repeat(Math.max(0, msisdn.length - 3)) + msisdn.slice(-3);
}

/** Change for a payer who handed over cash. */
export function changeOf({ tendered, amount }: Pick<PaymentIntent, 'tendered' | 'amount'>): Decimal | null {
  return tendered && tendered.minus(amount);
}

/** An intent as integrators get it: the shape of `GET /v1/payment-intents/{name}`. */
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
    // Messages are about intents that are over.
    next_action: null,
    tendered: intent.tendered?.toNumber() ?? null,
    change: changeOf(intent)?.toNumber() ?? null,
    failure_reason: intent.failureReason,
    initiated_at: intent.initiatedAt,
    confirmed_at: intent.confirmedAt,
    expires_at: intent.expiresAt,
    created_at: intent.createdAt,
    updated_at: intent.updatedAt,
    ...snapshotLabels(intent),
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

/** The place of a payment event in its agency's chain. */
interface Sealed {
  readonly sequence: number;
  readonly hash: string;
}

/** A sealed payment event as integrators get it: the shape of a row of `GET /v1/payment-events`. */
export function snapshotEvent(event: EventRecord, { sequence, hash }: Sealed) {
  return {
    name: event.name,
    intent: event.intent,
    assessment: event.assessment,
    mda: event.mda,
    amount: event.amount.toNumber(),
    currency: event.currency,
    channel: event.channel,
    kind: event.kind,
    aggregator_reference: event.aggregatorReference,
    txn_id: event.txnId,
    proof: event.proof,
    refund: event.refund,
    occurred_at: event.occurredAt,
    seal: { sequence, hash },
    created_at: event.createdAt,
    updated_at: event.createdAt,
  };
}

/** The only message about a payment event, which never changes: that it was made, told once it is sealed. */
export function messageOfEvent(event: EventRecord, seal: Sealed): Message {
  const { name: object, integrator, kind } = event;
  const type = kind === 'payment' ? 'payment_event.created' : 'payment_event.reversed';
  return { type, object, sequence: 1, integrator, agency: event.mda, payload: snapshotEvent(event, seal) };
}
