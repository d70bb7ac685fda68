import { z } from '../../../kernel/zod.ts';
import { amount, assessment, at, moment } from './payments.ts';

/** The shapes of records of agencies and fiscal partners, as integrators get them. */

/** With the agencies that have been told so far. */
export const propagated = assessment.extend({
  propagated_to: z.array(z.string()).describe('The codes of the agencies notified so far.'),
});

/** With those that have been notified of the reversal so far, too. */
export const propagationReversed = propagated.extend({
  reversal_propagated_to: z.array(z.string()).describe('The codes of the agencies notified of the reversal so far.'),
});

const of = { mda: z.string(), kind: z.enum(['payment', 'reversal']).describe('Kind of notification to the agency.') };

export const receiptIssued = propagated.extend({ receipt: z.object({ ...of, number: z.string() }) });

export const propagationRejected = propagated.extend({ rejection: z.object({ ...of, reason: z.string() }) });

export const billChanged = assessment.extend({
  differences: z
    .array(z.object({ mda: z.string(), service: z.string(), amount, agency_amount: amount }))
    .describe('Differences between the lines and the bill of the agency: `amount` is that of the lines.'),
});

export const identityChanged = z.object({
  name: z.string().describe('The docname of the citizen.'),
  assessments: z.array(z.string()).describe('Your assessments of that person that are not paid yet.'),
});

export const fiscalDocument = z.object({
  name: z.string(),
  issuer: z.string(),
  number: z.string(),
  assessment: z.string(),
  payment_event: z.string().nullable().describe('Null where it is for the whole assessment.'),
  mda: z.string().nullable(),
  url: z.string().nullable(),
  issued_at: moment.nullable(),
  created_at: moment,
});

export const aFiscalDocument: z.infer<typeof fiscalDocument> = {
  name: 'FISC-2026-11-000001',
  issuer: 'tax_authority',
  number: 'EF-2026-000001',
  assessment: 'ASMT-2026-11-000001',
  payment_event: 'PEV-2026-11-000001',
  mda: 'URA',
  url: 'https://fiscal.example.org/EF-2026-000001',
  issued_at: at,
  created_at: at,
};
