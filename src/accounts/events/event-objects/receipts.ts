import { PaymentProof } from '../../../generated/prisma/enums.ts';
import { z } from '../../../kernel/zod.ts';
import { amount, at, moment } from './payments.ts';

/** The shape of a receipt as integrators get it, and an example. */

export const receipt = z.object({
  name: z.string(),
  assessment: z.string(),
  intent: z.string(),
  status: z.enum(['Issued', 'Void']),
  contents: z
    .object({
      kind: z.enum(['payment', 'duplicate', 'late']),
      amount,
      currency: z.string(),
      channel: z.string(),
      paid_at: moment,
      payer_initials: z.string(),
      agencies: z.array(z.object({ mda: z.string(), amount, event: z.string() })),
      other_agencies: z.int().describe('Number of agencies that are added up in `other_amount`.'),
      other_amount: amount.nullable(),
      services: z.array(z.string()),
      other_services: z.int(),
    })
    .describe('Content, all of it signed.'),
  payload: z.string().describe('The text that was signed.'),
  signature: z.string().describe('Ed25519, in base64url.'),
  kid: z.string(),
  code: z.string(),
  url: z.string().describe('Content of its QR code.'),
  proof: z
    .enum(PaymentProof)
    .nullable()
    .describe('Proof by which the payment was confirmed. The signature does not cover it.'),
  copies: z.int().describe('Number of times it was printed.'),
  voided_at: moment.nullable(),
  replaced_by: z.string().nullable().describe('The receipt that says it right, where this one was wrong.'),
  created_at: moment,
  updated_at: moment,
});

const [payload, kid] = [
  '1~202611.1~202611.1~p~toui5o*180~mtn_momo~UGX~JD~URA*143000*202611.1~Motor_vehicle_transfer',
  'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
];
const signature = `${'A'.repeat(85)}g`;

export const aReceipt: z.infer<typeof receipt> = {
  name: 'RCP-2026-11-000001',
  assessment: 'ASMT-2026-11-000001',
  intent: 'PI-2026-11-000001',
  status: 'Issued',
  contents: {
    kind: 'payment',
    amount: 143_000,
    currency: 'UGX',
    channel: 'mtn_momo',
    paid_at: at,
    payer_initials: 'JD',
    agencies: [{ mda: 'URA', amount: 143_000, event: 'PEV-2026-11-000001' }],
    other_agencies: 0,
    other_amount: null,
    services: ['Motor vehicle transfer'],
    other_services: 0,
  },
  payload,
  signature,
  kid,
  code: '7M3QX-0ZK9T',
  url: `https://rail.example.org/verify#${kid.slice(0, 8)}.${signature}.${payload}`,
  proof: 'enquiry',
  copies: 0,
  voided_at: null,
  replaced_by: null,
  created_at: at,
  updated_at: at,
};
