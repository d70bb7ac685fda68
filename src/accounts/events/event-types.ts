import { refuseValue } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import { z } from '../../kernel/zod.ts';
import {
  aFiscalDocument,
  billChanged,
  fiscalDocument,
  identityChanged,
  propagated,
  propagationRejected,
  propagationReversed,
  receiptIssued,
} from './event-objects/agencies.ts';
import { alert, anAlert } from './event-objects/alerts.ts';
import { aDay, day } from './event-objects/days.ts';
import { money, someMoney } from './event-objects/money.ts';
import { aNotice, notice } from './event-objects/notices.ts';
import {
  aPaymentEvent,
  anAssessment,
  anIntent,
  assessment,
  at,
  intent,
  moment,
  paymentEvent,
} from './event-objects/payments.ts';
import { aRefund, refund } from './event-objects/refunds.ts';
import { aReceipt, receipt } from './event-objects/receipts.ts';

/** Messages to integrators: the schema of each type's `data.object`, and an example. */

const ping = z.object({ message: z.string() });

interface EventType {
  readonly description: string;
  readonly object: z.ZodType;
  readonly example: unknown;
}

const TYPES = {
  'alert.raised': {
    description:
      'Anomalies were raised that an alert rule of operators is about. Sent to endpoints of operators alone.',
    object: alert,
    example: anAlert,
  },
  'payment_intent.confirmed': { description: 'The payment was collected.', object: intent, example: anIntent },
  'payment_intent.failed': {
    description: 'The aggregator reported that the collection failed.',
    object: intent,
    example: { ...anIntent, status: 'Failed', confirmed_at: null, failure_reason: 'PAYER_DECLINED' },
  },
  'payment_intent.expired': {
    description: 'The intent expired before it was confirmed.',
    object: intent,
    example: { ...anIntent, status: 'Expired', confirmed_at: null },
  },
  'assessment.paid': { description: 'The assessment was paid in full.', object: assessment, example: anAssessment },
  'assessment.overdue': {
    description:
      'The due day of the assessment is over, by the clock of its agency, and it is not paid. Sent once, on the day after.',
    object: assessment,
    example: { ...anAssessment, status: 'Assessed', paid_at: null, due_on: '2026-11-20' },
  },
  'assessment.cancelled': {
    description: 'The assessment was cancelled. If it was paid, its payments were reversed.',
    object: assessment,
    example: { ...anAssessment, status: 'Cancelled', paid_at: null, cancelled_at: at, cancel_reason: 'Entered twice' },
  },
  'assessment.propagated': {
    description:
      "An agency's own system accepted the notification that its part of the assessment was paid. One event per agency.",
    object: propagated,
    example: { ...anAssessment, propagated_to: ['URA'] },
  },
  'assessment.propagation_reversed': {
    description:
      "An agency's own system accepted the notification that a payment it was notified of was reversed. One event per agency.",
    object: propagationReversed,
    example: {
      ...anAssessment,
      status: 'Cancelled',
      cancelled_at: at,
      cancel_reason: 'Entered twice',
      propagated_to: ['URA'],
      reversal_propagated_to: ['URA'],
    },
  },
  'assessment.propagation_rejected': {
    description:
      'An agency rejected the notification of a payment, or of its reversal, after it had been sent. Operators settle it and send it again.',
    object: propagationRejected,
    example: {
      ...anAssessment,
      propagated_to: [],
      rejection: { mda: 'URA', kind: 'payment', reason: 'The taxpayer number is not active' },
    },
  },
  'assessment.receipt_issued': {
    description: 'An agency issued a receipt for what it was notified of, or another one than before.',
    object: receiptIssued,
    example: {
      ...anAssessment,
      propagated_to: ['URA'],
      receipt: { mda: 'URA', kind: 'payment', number: 'RCPT-0012345' },
    },
  },
  'assessment.bill_changed': {
    description:
      'An agency says that another amount is owed than an assessment has that is not paid yet. The assessment was not changed.',
    object: billChanged,
    example: {
      ...anAssessment,
      status: 'Assessed',
      paid_at: null,
      differences: [{ mda: 'URA', service: 'SVC-2026-000023', amount: 143_000, agency_amount: 150_000 }],
    },
  },
  'citizen.identity_changed': {
    description:
      'The identity authority says that the record of a person changed for whom you have assessments that are not paid yet. The record was not changed; operators review it.',
    object: identityChanged,
    example: { name: 'CITIZEN-2026-000001', assessments: ['ASMT-2026-11-000001'] },
  },
  'fiscal_document.issued': {
    description: 'A fiscal partner or an agency issued a fiscal document for a payment event or an assessment.',
    object: fiscalDocument,
    example: aFiscalDocument,
  },
  'money_received.booked': {
    description:
      'Money arrived for an assessment and paid nothing. It goes to the account that made the assessment, and to each of its agencies. Staff settle it with the payer.',
    object: money,
    example: someMoney,
  },
  'money_received.allocated': {
    description:
      'Money that had arrived pays an assessment, in full or in part. It goes to the account that made the assessment, and to each of its agencies. `assessment` and `intent` are those that it pays.',
    object: money,
    example: { ...someMoney, intent: 'PI-2026-11-000001' },
  },
  'agency_day.closed': {
    description: 'A day of an agency was closed, and its sums are signed.',
    object: day,
    example: aDay,
  },
  'refund.requested': {
    description: 'A refund of a payment was requested.',
    object: refund,
    example: {
      ...aRefund,
      status: 'Requested',
      provider_reference: null,
      paid_on: null,
      approved_at: null,
      done_at: null,
    },
  },
  'refund.approved': {
    description: 'A refund was approved, and is to be paid.',
    object: refund,
    example: { ...aRefund, status: 'Approved', provider_reference: null, paid_on: null, done_at: null },
  },
  'refund.declined': {
    description: 'A refund was refused or withdrawn, or nobody decided in time.',
    object: refund,
    example: {
      ...aRefund,
      status: 'Declined',
      provider_reference: null,
      paid_on: null,
      approved_at: null,
      done_at: null,
    },
  },
  'refund.failed': {
    description: 'The provider could not pay a refund.',
    object: refund,
    example: {
      ...aRefund,
      method: 'provider',
      status: 'Failed',
      provider_reference: null,
      paid_on: null,
      failure_reason: 'PAYEE_NOT_FOUND',
      done_at: null,
    },
  },
  'refund.done': { description: 'A refund was paid.', object: refund, example: aRefund },
  'notice.published': {
    description: 'A service notice was published, or has changed since.',
    object: notice,
    example: aNotice,
  },
  'notice.withdrawn': {
    description: 'A service notice was withdrawn.',
    object: notice,
    example: { ...aNotice, withdrawn_at: at },
  },
  'payment_event.created': {
    description:
      'A payment was recorded for an agency: one event for each agency. Sent with its seal, which follows in seconds.',
    object: paymentEvent,
    example: aPaymentEvent,
  },
  'payment_event.reversed': {
    description:
      'The reversal of a payment was recorded for an agency: an event of its own, with a negative amount. Sent with its seal, which follows in seconds.',
    object: paymentEvent,
    example: { ...aPaymentEvent, name: 'PEV-2026-11-000002', amount: -143_000, kind: 'reversal' },
  },
  'receipt.issued': {
    description: 'A receipt was issued: one for each payment intent that is confirmed.',
    object: receipt,
    example: aReceipt,
  },
  'receipt.voided': {
    description: 'A receipt is void, since its payment was reversed.',
    object: receipt,
    example: { ...aReceipt, status: 'Void', voided_at: at },
  },
  'webhook.test': {
    description: 'A test message, requested with `POST /v1/me/webhook:test`.',
    object: ping,
    example: { message: 'This is a test.' },
  },
} as const satisfies Record<string, EventType>;

export type WebhookEventType = keyof typeof TYPES;

/** The types of events. */
export const EVENT_TYPES = Object.keys(TYPES) as readonly WebhookEventType[];

/** A message as it is sent. */
export interface Envelope {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  /** Grows with every change of the object. */
  readonly sequence: number;
  readonly data: { readonly object: unknown };
  /** True if it only tests an endpoint, with an example; left out of all others. */
  readonly test?: true;
}

function envelopeOf(type: string, object: z.ZodType) {
  return z.object({
    id: z.uuid(),
    type: z.literal(type),
    created_at: moment,
    sequence: z.int(),
    data: z.object({ object }),
  });
}

/** A type of event with the JSON Schema of its whole message, and an example. */
export interface DescribedEvent {
  readonly type: WebhookEventType;
  readonly description: string;
  readonly schema: unknown;
  readonly example: Envelope;
}

/** The catalogue of events, by type. */
export const eventCatalogue: readonly DescribedEvent[] = EVENT_TYPES.map((type) => {
  const { description, object, example } = TYPES[type];
  return {
    type,
    description,
    schema: z.toJSONSchema(envelopeOf(type, object)),
    example: {
      id: '0f8fad5b-d9cb-469f-a165-70867728950e',
      type,
      created_at: at,
      sequence: 3,
      data: { object: example },
    },
  };
}).toSorted((a, b) => a.type.localeCompare(b.type));

/** Most types, or beginnings of some, in one request. */
export const MOST_TYPES = 50;

/** Types of events by name or by a beginning; an unknown one is refused. */
export function readTypes(asked: readonly string[]): string[] {
  asked.forEach((asking, index) => {
    if (expandTypes([asking]).length === 0)
      throw refuseValue(
        `types[${index}]`,
        say`must be a type of event, or a beginning of some, such as ${'payment_intent.*'}`,
      );
  });
  return [...new Set(asked)];
}

/** The types that names and beginnings stand for. */
export function expandTypes(asked: readonly string[]): string[] {
  return EVENT_TYPES.filter((type) =>
    asked.some((one) => type === one || (one.endsWith('.*') && type.startsWith(one.slice(0, -1)))),
  );
}
