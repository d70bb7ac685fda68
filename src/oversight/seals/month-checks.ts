import { sql } from '../../platform/database/sql.ts';
import type { Check } from './check.ts';

/** Sums that are counted by month or day, beside plain counts; with what waits, or without the months that do. */
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
  [
    'notification_day',
    sql`select concat_ws(' ', kind, day, status) as row, null::text as mda, 'differs from its notifications' as why
      from (
        select kind, day, status, sum(count) as count from oversight.notification_day group by 1, 2, 3 having sum(count) <> 0
      ) s full join (
        select 'webhook' as kind, (created_at at time zone 'utc')::date as day, status, count(*) as count
        from webhook_delivery group by 1, 2, 3
        union all
        select 'propagation', (created_at at time zone 'utc')::date,
          case status when 'rejected' then 'dead' else status end, count(*)
        from propagation where kind = 'payment' group by 1, 2, 3
      ) t using (kind, day, status) where s.count is distinct from t.count`,
  ],
  [
    'registration_sum',
    sql`select concat_ws(' ', day, source, mda) as row, nullif(mda, '') as mda, 'differs from who was registered' as why
      from registration_sum s full join (
        select (at at time zone 'utc')::date as day, 'identity_authority' as source, mda, count(*) as people from (
          select distinct on (citizen, mda) coalesce(mda, '') as mda, created_at as at from consent_event
          order by citizen, mda, created_at
        ) c group by 1, 3
        union all
        select (created_at at time zone 'utc')::date, 'by_hand', '', count(*) from citizen
        where name not in (select citizen from consent_event) group by 1
      ) t using (day, source, mda)
      where s.people is distinct from t.people
        and not exists (select from registration_tail w where w.day = coalesce(s.day, t.day))`,
  ],
  [
    'registration_monthly',
    sql`select concat_ws(' ', month, source, mda) as row, nullif(mda, '') as mda, 'differs from its days' as why
      from registration_monthly m full join (
        select date_trunc('month', day::timestamp)::date as month, source, mda, sum(people) as people
        from registration_sum group by 1, 2, 3
      ) t using (month, source, mda)
      where coalesce(m.people, 0) <> coalesce(t.people, 0)`,
  ],
];
