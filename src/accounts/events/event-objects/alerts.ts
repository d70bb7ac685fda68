import { z } from '../../../kernel/zod.ts';
import { at, moment } from './payments.ts';

/** The shape of an alert to operators, and an example. */

export const alert = z.object({
  rule: z.string().describe('The docname of the alert rule.'),
  agencies: z.array(z.string()).describe('The codes of all agencies concerned.'),
  anomalies: z
    .array(
      z.object({
        name: z.string(),
        kind: z.string(),
        severity: z.enum(['low', 'medium', 'high']),
        mdas: z.array(z.string()).describe('The codes of the agencies concerned.'),
        raised_at: moment,
      }),
    )
    .describe('At most 100, the oldest first.'),
  more: z.int().describe('Number of further ones.'),
});

export const anAlert: z.infer<typeof alert> = {
  rule: 'ALR-2026-000001',
  agencies: ['URA'],
  anomalies: [
    { name: 'ANOM-2026-11-000001', kind: 'duplicate_collection', severity: 'high', mdas: ['URA'], raised_at: at },
  ],
  more: 0,
};
