import { z } from '../../kernel/zod.ts';

/** What integrators are told: the schema of each type's `data.object`, and an example. */

const moment = z.string().describe('A date and time (RFC 3339), in UTC with milliseconds.');
const amount = z.number().describe("Exact to the currency's minor unit.");

const intent = z.object({
  name: z.string(),
  assessment: z.string(),
  channel: z.enum(['mtn_momo', 'airtel_money', 'card', 'cash']),
  status: z.enum(['Pending', 'Sent', 'Confirmed', 'Failed', 'Expired']),
  amount,
  currency: z.string(),
  splits: z.array(z.object({ mda: z.string(), amount })),
  aggregator: z.string(),
  aggregator_reference: z.string().nullable(),
  payer_msisdn: z.string().nullable().describe('Masked except for the last three digits.'),
  failure_reason: z.string().nullable(),
  initiated_at: moment.nullable(),
  confirmed_at: moment.nullable(),
  expires_at: moment,
  created_at: moment,
  updated_at: moment,
});

const assessment = z.object({
  name: z.string(),
  citizen: z.string(),
  status: z.enum(['Draft', 'Assessed', 'Paid', 'Cancelled']),
  currency: z.string(),
  total_amount: amount,
  lines: z.array(
    z.object({
      idx: z.int(),
      service: z.string(),
      service_name: z.string(),
      mda: z.string(),
      quantity: z.int(),
      rate: amount,
      amount,
    }),
  ),
  shift: z.string().nullable(),
  cancel_reason: z.string().nullable(),
  assessed_at: moment.nullable(),
  paid_at: moment.nullable(),
  cancelled_at: moment.nullable(),
  created_at: moment,
  updated_at: moment,
});

/** With the agencies that have been told so far. */
const propagated = assessment.extend({
  propagated_to: z.array(z.string()).describe('The codes of the agencies notified so far.'),
});

/** With those that have been told of the reversal so far, too. */
const propagationReversed = propagated.extend({
  reversal_propagated_to: z.array(z.string()).describe('The codes of the agencies notified of the reversal so far.'),
});

const notice = z.object({
  name: z.string(),
  title: z.string(),
  body: z.string(),
  severity: z.enum(['info', 'warning', 'critical']),
  channels: z.array(z.string()).describe('The payment channels concerned; empty where it is about more than these.'),
  agencies: z.array(z.string()).describe('The codes of the agencies concerned; empty likewise.'),
  starts_at: moment,
  ends_at: moment.nullable(),
  created_at: moment,
  updated_at: moment,
  withdrawn_at: moment.nullable(),
});

const ping = z.object({ message: z.string() });

const at = '2026-11-21T09:25:00.000Z';

const anIntent: z.infer<typeof intent> = {
  name: 'PI-2026-11-000001',
  assessment: 'ASMT-2026-11-000001',
  channel: 'mtn_momo',
  status: 'Confirmed',
  amount: 143_000,
  currency: 'UGX',
  splits: [{ mda: 'URA', amount: 143_000 }],
  aggregator: 'mtn_momo',
  aggregator_reference: '5f0c…',
  payer_msisdn: '**********456',
  failure_reason: null,
  initiated_at: at,
  confirmed_at: at,
  expires_at: '2026-11-22T09:25:00.000Z',
  created_at: at,
  updated_at: at,
};

const anAssessment: z.infer<typeof assessment> = {
  name: 'ASMT-2026-11-000001',
  citizen: 'CITIZEN-2026-000001',
  status: 'Paid',
  currency: 'UGX',
  total_amount: 143_000,
  lines: [
    {
      idx: 1,
      service: 'SVC-2026-000023',
      service_name: 'Motor vehicle transfer of ownership',
      mda: 'URA',
      quantity: 1,
      rate: 143_000,
      amount: 143_000,
    },
  ],
  shift: null,
  cancel_reason: null,
  assessed_at: at,
  paid_at: at,
  cancelled_at: null,
  created_at: at,
  updated_at: at,
};

const aNotice: z.infer<typeof notice> = {
  name: 'NOTICE-2026-001',
  title: 'Maintenance on Sunday',
  body: 'From 02:00 to 03:00 UTC.',
  severity: 'warning',
  channels: ['mtn_momo'],
  agencies: [],
  starts_at: at,
  ends_at: null,
  created_at: at,
  updated_at: at,
  withdrawn_at: null,
};

interface EventType {
  readonly description: string;
  readonly object: z.ZodType;
  readonly example: unknown;
}

const TYPES = {
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
