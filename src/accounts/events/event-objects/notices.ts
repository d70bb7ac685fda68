import { z } from '../../../kernel/zod.ts';
import { at, moment } from './payments.ts';

/** The shape of a service notice as integrators get it, and an example. */

export const notice = z.object({
  name: z.string(),
  title: z.string(),
  body: z.string(),
  severity: z.enum(['info', 'warning', 'critical']),
  channels: z.array(z.string()).describe('The payment channels concerned; empty where it is about more than these.'),
  agencies: z.array(z.string()).describe('The codes of the agencies concerned; empty likewise.'),
  rooms: z.array(z.string()).describe('The parts of the site whose pages show it; empty where all pages do.'),
  starts_at: moment,
  ends_at: moment.nullable(),
  created_at: moment,
  updated_at: moment,
  withdrawn_at: moment.nullable(),
});

export const aNotice: z.infer<typeof notice> = {
  name: 'NOTICE-2026-001',
  title: 'Maintenance on Sunday',
  body: 'From 02:00 to 03:00 UTC.',
  severity: 'warning',
  channels: ['mtn_momo'],
  agencies: [],
  rooms: [],
  starts_at: at,
  ends_at: null,
  created_at: at,
  updated_at: at,
  withdrawn_at: null,
};
