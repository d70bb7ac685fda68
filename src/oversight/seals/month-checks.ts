import { sql } from '../../platform/database/sql.ts';
import type { Check } from './check.ts';

/** Sums that are counted anew by month, beside plain counts; of months that do not wait to be. */
export const MONTH_CHECKS: readonly Check[] = [
  [
    'anomaly_sum',
    sql`select concat_ws(' ', month, kind, severity, status) as row, null::text as mda, 'differs from its anomalies' as why
      from (
        select month, kind, severity, status, sum(count) filter (where not by_agency) as count,
          sum(count) filter (where by_agency) as concerned, min(oldest) as oldest, max(newest) as newest
        from anomaly_sum group by 1, 2, 3, 4
      ) s full join (
        select date_trunc('month', raised_at at time zone 'utc')::date as month, kind, severity, status, count(*) as count,
          sum(greatest(cardinality(mdas), 1)) as concerned, min(raised_at) as oldest, max(raised_at) as newest
        from anomaly group by 1, 2, 3, 4
      ) t using (month, kind, severity, status)
      where (s.count, s.concerned, s.oldest, s.newest) is distinct from (t.count, t.concerned, t.oldest, t.newest)
        and not exists (select from anomaly_tail w where w.month = coalesce(s.month, t.month))`,
  ],
  [
    'shift_sum',
    sql`select concat_ws(' ', month, mda, currency, counter) as row, mda, 'differs from its shifts' as why
      from shift_sum s full join (
        select date_trunc('month', closed_at at time zone 'utc')::date as month, mda, currency,
          coalesce(counter_label, '') as counter, count(*) as shifts,
          count(*) filter (where variance <> 0) as with_variance, sum(expected_cash) as expected_cash,
          sum(variance) as variance, sum(variance * variance) as variance_squared, min(variance) as lowest,
          max(variance) as highest, count(*) filter (where variance_status is not null) as decided
        from counter_shift where status = 'Closed' group by 1, 2, 3, 4
      ) t using (month, mda, currency, counter)
      where (s.shifts, s.with_variance, s.expected_cash, s.variance, s.variance_squared, s.lowest, s.highest,
          s.pending + s.approved + s.rejected + s.escalated)
        is distinct from (t.shifts, t.with_variance, t.expected_cash, t.variance, t.variance_squared, t.lowest,
          t.highest, t.decided)
        and not exists (select from shift_tail w where w.mda = coalesce(s.mda, t.mda) and w.month = coalesce(s.month, t.month))`,
  ],
];
