import { z } from '../../../kernel/zod.ts';
import { Channel, PaymentProof } from '../../../generated/prisma/enums.ts';

/** The shapes of payments and assessments as integrators get them, and examples. */

export const moment = z.string().describe('A date and time (RFC 3339), in UTC with milliseconds.');
export const amount = z.number().describe("Exact to the currency's minor unit.");

/** An account's own reference and metadata of a record, if it was given any. */
const labels = {
  reference: z.string().optional().describe('Your own reference, if you gave one.'),
  metadata: z.record(z.string(), z.string()).optional().describe('Your own texts by your own keys, if you gave any.'),
};

export const intent = z.object({
  name: z.string(),
  assessment: z.string(),
  channel: z.enum(Channel),
  status: z.enum(['Pending', 'Sent', 'Confirmed', 'Failed', 'Expired']),
  amount,
  currency: z.string(),
  splits: z.array(z.object({ mda: z.string(), amount })),
  aggregator: z.string(),
  aggregator_reference: z.string().nullable(),
  payer_msisdn: z.string().nullable().describe('Masked except for the last three digits.'),
  next_action: z.null().describe('Null: there is nothing left to do.'),
  tendered: amount
    .nullable()
    .describe('The cash that the payer handed over; null if nobody said, and for other channels.'),
  change: amount.nullable().describe('The change due to the payer; null where `tendered` is.'),
  failure_reason: z.string().nullable(),
  initiated_at: moment.nullable(),
  confirmed_at: moment.nullable(),
  expires_at: moment,
  created_at: moment,
  updated_at: moment,
  ...labels,
});

export const assessment = z.object({
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
      /** The first three where a tariff priced the line, by what it asks for. */
      category: z.string().optional(),
      base_amount: amount.optional(),
      stated_amount: amount.optional(),
      period: z.string().optional(),
      waived: amount.optional(),
      exemption: z.string().optional(),
    }),
  ),
  due_on: z.string().describe('The day by which it is to be paid (YYYY-MM-DD).').optional(),
  replaces: z.string().optional(),
  shift: z.string().nullable(),
  cancel_reason: z.string().nullable(),
  assessed_at: moment.nullable(),
  paid_at: moment.nullable(),
  cancelled_at: moment.nullable(),
  created_at: moment,
  updated_at: moment,
  ...labels,
});

export const paymentEvent = z.object({
  name: z.string(),
  intent: z.string(),
  assessment: z.string(),
  mda: z.string(),
  amount: amount.describe('Negative for a reversal.'),
  currency: z.string(),
  channel: z.enum(Channel),
  kind: z.enum(['payment', 'reversal']),
  aggregator_reference: z.string(),
  txn_id: z.string().nullable(),
  proof: z.enum(PaymentProof).nullable().describe('Proof by which the payment was confirmed.'),
  refund: z.string().nullable().describe('The refund that gave it back; null for payments and cancellations.'),
  occurred_at: moment,
  seal: z.object({ sequence: z.int(), hash: z.string() }).describe("The event's place in its agency's chain."),
  created_at: moment,
  updated_at: moment,
});

export const at = '2026-11-21T09:25:00.000Z';

export const anIntent: z.infer<typeof intent> = {
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
  next_action: null,
  tendered: null,
  change: null,
  failure_reason: null,
  initiated_at: at,
  confirmed_at: at,
  expires_at: '2026-11-22T09:25:00.000Z',
  created_at: at,
  updated_at: at,
};

export const anAssessment: z.infer<typeof assessment> = {
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

export const aPaymentEvent: z.infer<typeof paymentEvent> = {
  name: 'PEV-2026-11-000001',
  intent: 'PI-2026-11-000001',
  assessment: 'ASMT-2026-11-000001',
  mda: 'URA',
  amount: 143_000,
  currency: 'UGX',
  channel: 'mtn_momo',
  kind: 'payment',
  aggregator_reference: '5f0c…',
  txn_id: 'TXN-1',
  proof: 'enquiry',
  refund: null,
  occurred_at: at,
  seal: { sequence: 1, hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
  created_at: at,
  updated_at: at,
};
