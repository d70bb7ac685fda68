import { z } from '../../../kernel/zod.ts';
import { at, moment } from './payments.ts';

/** The shape of a closed day as agencies get it, and an example. */

export const day = z.object({
  name: z.string(),
  mda: z.string(),
  day: z.string().describe('By the clock of the agency (YYYY-MM-DD).'),
  payload: z.string().describe('The text that was signed: JSON, whose amounts are text.'),
  signature: z.string().describe('Ed25519, in base64url.'),
  kid: z.string(),
  head: z.string().nullable().describe("The hash of the day's last seal; null of a day without payment events."),
  created_at: moment,
  updated_at: moment,
});

export const aDay: z.infer<typeof day> = {
  name: 'URA.2026-11-20',
  mda: 'URA',
  day: '2026-11-20',
  payload: '{"version":1,…}',
  signature: 'AAAA…',
  kid: 'kPrK…',
  head: null,
  created_at: at,
  updated_at: at,
};
