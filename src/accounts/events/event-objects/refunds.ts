import { RefundMethod, RefundStatus } from '../../../generated/prisma/enums.ts';
import { z } from '../../../kernel/zod.ts';
import { amount, at, moment } from './payments.ts';

/** The shape of a refund as integrators get it, and an example. */

export const refund = z.object({
  name: z.string(),
  intent: z.string().nullable().describe('The payment; null for money that paid nothing.'),
  assessment: z.string(),
  money: z.string().nullable().describe('The money that paid nothing; null for a payment.'),
  amount,
  currency: z.string(),
  shares: z.array(
    z.object({
      idx: z.int().nullable().describe('The line; null where the splits of the payment differ from its lines.'),
      mda: z.string(),
      amount,
    }),
  ),
  reason_code: z.string(),
  method: z.enum(RefundMethod),
  booked: z.boolean().describe('True if a cancellation reversed the payment already.'),
  status: z.enum(RefundStatus),
  provider_reference: z.string().nullable().describe('The number of the refund at the provider or bank that paid it.'),
  paid_on: z.string().nullable().describe('The day on which a transfer was paid (YYYY-MM-DD).'),
  shift: z.string().nullable().describe('The shift that paid it in cash.'),
  failure_reason: z.string().nullable(),
  approved_at: moment.nullable(),
  done_at: moment.nullable(),
  created_at: moment,
  updated_at: moment,
});

export const aRefund: z.infer<typeof refund> = {
  name: 'RFD-2026-11-000001',
  intent: 'PI-2026-11-000001',
  assessment: 'ASMT-2026-11-000001',
  money: null,
  amount: 143_000,
  currency: 'UGX',
  shares: [{ idx: 1, mda: 'URA', amount: 143_000 }],
  reason_code: 'duplicate',
  method: 'transfer',
  booked: false,
  status: 'Done',
  provider_reference: 'FT26325XK01',
  paid_on: '2026-11-21',
  shift: null,
  failure_reason: null,
  approved_at: at,
  done_at: at,
  created_at: at,
  updated_at: at,
};
