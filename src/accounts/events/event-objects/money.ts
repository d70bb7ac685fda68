import { z } from '../../../kernel/zod.ts';
import { Channel } from '../../../generated/prisma/enums.ts';
import { MONEY_KINDS, type MoneyKind } from '../../../collection/money/receive.ts';
import { amount, at, moment } from './payments.ts';

/** The shape of money that paid nothing as integrators and agencies get it, and an example. */

export const money = z.object({
  name: z.string(),
  kind: z.enum(Object.keys(MONEY_KINDS) as [MoneyKind, ...MoneyKind[]]).describe('Reason why it paid nothing.'),
  amount,
  currency: z.string(),
  channel: z.enum(Channel),
  provider: z.string().describe('The payment point, or the aggregator, that has it.'),
  txn_id: z.string(),
  reference: z.string().nullable().describe('Text typed at the place of payment; null for money of an aggregator.'),
  intent: z.string().nullable(),
  assessment: z.string(),
  agencies: z.array(z.string()).describe('The agencies of the assessment; to an agency, itself.'),
  received_at: moment,
  created_at: moment,
  updated_at: moment,
});

export const someMoney: z.infer<typeof money> = {
  name: 'MON-2026-11-000001',
  kind: 'short',
  amount: 140_000,
  currency: 'UGX',
  channel: 'bank',
  provider: 'bank',
  txn_id: 'FT26333XK2M9',
  reference: '4820917365183',
  intent: null,
  assessment: 'ASMT-2026-11-000001',
  agencies: ['URA'],
  received_at: at,
  created_at: at,
  updated_at: at,
};
