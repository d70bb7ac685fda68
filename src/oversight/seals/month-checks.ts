import { sql } from '../../platform/database/sql.ts';
import type { Check } from './check.ts';

/** Sums that are counted by month or day, beside plain counts; with what waits, or without the months that do. */
export const MONTH_CHECKS: readonly Check[] = [
  [
    'cancelled',
    sql`select coalesce(f.name, l.name) as row, coalesce(f.mda, l.mda) as mda, 'differs from what was reversed or cancelled' as why
      from cancelled f full join cancellation_live l using (name)
      where f is distinct from row(l.assessment, name, l.kind, l.mda, l.amount, l.currency, l.channel, l.cancelled_at,
          l.paid_at, l.counter_mda, l.counter, l.explained, l.same_hand, l.person)
        and not exists (select from cancelled_tail w where w.assessment = coalesce(f.assessment, l.assessment))`,
  ],
];
