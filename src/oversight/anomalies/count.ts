import type { Rail } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { type Recounted, recount, startRecounting } from '../root/recount.ts';

const ANOMALIES: Recounted = {
  name: 'anomalies',
  lock: 7_283_010,
  tail: 'anomaly_tail',
  sums: 'anomaly_sum',
  key: ['month'],
  count: sql`
    found as materialized (
      select k.month, a.* from keys k cross join lateral (
        select kind, severity, status, mdas, raised_at from anomaly a
        where a.raised_at >= k.month::timestamp at time zone 'utc'
          and a.raised_at < (k.month + interval '1 month') at time zone 'utc' offset 0
      ) a
    )
    select month, kind, severity, status, false, '', count(*), min(raised_at), max(raised_at)
    from found group by month, kind, severity, status
    union all
    select month, kind, severity, status, true, mda, count(*), min(raised_at), max(raised_at)
    from found cross join lateral (
      select unnest(mdas) as mda union all select '' where cardinality(mdas) = 0) m
    group by month, kind, severity, status, mda`,
};

/** Counts anomalies of months of which one was raised or resolved. */
export const startCountingAnomalies = (rail: Rail) => startRecounting(rail, ANOMALIES);

/** Counts them once; how many changes were taken. */
export const countAnomalies = (rail: Pick<Rail, 'transaction'>) => recount(rail, ANOMALIES);
