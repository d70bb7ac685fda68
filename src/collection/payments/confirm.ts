import type { AdapterFailure } from '../../adapters/failure.ts';
import type { ProviderStatus } from '../../adapters/payment/port.ts';
import { type Assessment, getAssessment } from '../assessments/find.ts';
import type { Call } from '../../platform/call/call.ts';
import { type TraceEntry, retryUntilSettled } from '../../platform/change/commit.ts';
import { type Refusal, refuseBecause } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import { adapterOf, proofBy } from './aggregator.ts';
import { type PaymentEvent, type PaymentIntent, collectionOf, eventsOf, getIntent } from './find.ts';
import { type Resolution, resolve } from './settlement/resolve.ts';

export interface Confirmation {
  readonly intent: PaymentIntent;
  readonly events: PaymentEvent[];
  readonly assessment: Assessment;
}

/** Asks the aggregator how a Sent intent stands, and confirms it if the collection is complete. */
export function confirmPayment(call: Call, name: string): Promise<Confirmation> {
  return retryUntilSettled(async () => {
    const intent = await getIntent(call, name);
    if (intent.status !== 'Sent') throw refuseNotSent(intent);
    const adapter = adapterOf(call, intent);
    const providerStatus = await adapter.verify(collectionOf(intent));
    const resolution = await resolve(call, intent, providerStatus, {
      trace: [traceVerification(intent, providerStatus)],
      proof: proofBy(adapter),
    });
    if (!resolution) return undefined;
    return resolution.settlement ?? refuseUnconfirmed(name, resolution, providerStatus);
  });
}

/** The answer to a confirmation that was stored, but whose process died before it could answer. */
export async function confirmationOf(call: Call, name: string): Promise<Confirmation> {
  const intent = await getIntent(call, name);
  if (intent.status !== 'Confirmed') throw refuseNotSent(intent);
  const [events, assessment] = await Promise.all([eventsOf(call, name), getAssessment(call, intent.assessment)]);
  return { intent, events: events.filter(({ kind }) => kind === 'payment'), assessment };
}

/** The trace row of an aggregator's word on a collection. */
export function traceVerification(
  { name, assessment, aggregator }: PaymentIntent,
  providerStatus: ProviderStatus,
  source = 'asked',
): TraceEntry {
  const { status, amount, currency, txnId, settledAt, response } = providerStatus;
  const detail = { source, status, amount, currency, txn_id: txnId, settled_at: settledAt, response };
  return { kind: 'adapter.verify', assessment, intent: name, summary: say`${aggregator} reported ${status}`, detail };
}

/** The trace row of an enquiry that an aggregator did not answer. */
export function traceUnanswered(
  { name, assessment, aggregator }: PaymentIntent,
  { kind, message }: AdapterFailure,
): TraceEntry {
  const detail = { source: 'asked', outcome: kind, error: message };
  return {
    kind: 'adapter.verify',
    assessment,
    intent: name,
    summary: say`${aggregator} did not report the state of the collection: ${kind}`,
    detail,
  };
}

function refuseNotSent({ name, status }: PaymentIntent): Refusal {
  return refuseBecause(
    status === 'Confirmed' ? 'already_confirmed' : 'not_sent',
    `${name} is ${status}; only a Sent intent can be confirmed`,
  );
}

function refuseUnconfirmed(name: string, { decision }: Resolution, { reason }: ProviderStatus): never {
  switch (decision) {
    case 'failed':
      throw refuseBecause(
        'collection_failed',
        `The aggregator reported that the collection of ${name} failed${reason ? `: ${reason}` : ''}`,
      );
    case 'amount_mismatch':
      throw refuseBecause(
        'amount_mismatch',
        `The aggregator collected a different amount or currency than ${name} requires; nothing was confirmed`,
      );
    case 'pending':
      throw refuseBecause(
        'collection_pending',
        `The aggregator reported that the collection of ${name} is not complete yet`,
      );
    case 'unapplied':
      throw new Error(`${name} was collected, and could not be recorded as a payment`);
    default:
      throw refuseBecause('already_confirmed', `${name} is final already`);
  }
}
