import { type Database, type Sql, sql } from '../../platform/database/sql.ts';
import { takeNumbers } from './cases.ts';
import type { Cast } from './cast.ts';

/** The agencies of a case, the one with the larger share first. */
const concerned = sql`
  case when service2 is null then array[mda] when amount2 > amount then array[mda2, mda] else array[mda, mda2] end`;

/** The anomaly that each reversal is. */
export async function writeReversals(db: Database, period: string, count: number, cast: Cast): Promise<void> {
  await insertAnomalies(
    db,
    period,
    count,
    cast,
    sql`
    select 'reversal' as kind, assessment as subject, ${concerned} as mdas, 'low' as severity,
      paid_at + interval '2 hours' as at, jsonb_build_object('amount', amount, 'currency', currency, 'paid_at', paid_at)
        as evidence
    from history_case where fate = 'reversed'`,
  );
}

/** Drawers that were short, and what aggregators did otherwise than they were asked. */
export async function writeFindings(db: Database, period: string, count: number, cast: Cast): Promise<void> {
  await insertAnomalies(
    db,
    period,
    2 * count,
    cast,
    sql`
    select 'cash_variance' as kind, name as subject, array[mda] as mdas, 'medium' as severity, closed_at as at,
      jsonb_build_object('shift', name, 'clerk', clerk, 'currency', currency, 'expected', 50000 + cash, 'counted',
        50000 + cash + variance, 'variance', variance) as evidence
    from history_shift where variance < -10000
    union all
    select (array['late_collection', 'statement_mismatch', 'amount_mismatch'])[1 + n % 3], intent, ${concerned},
      (array['medium', 'high', 'high'])[1 + n % 3], paid_at, jsonb_build_object('collected_amount', amount,
        'collected_currency', currency, 'assessment_status', 'Paid', 'channel', channel)
    from history_case where fate = 'paid' and n % ${cast.oddOneOf} = 0`,
  );
}

/** Takes as many numbers as there can be anomalies. Of those that ask for somebody's work, two of three are resolved. */
async function insertAnomalies(db: Database, period: string, most: number, { now }: Cast, found: Sql): Promise<void> {
  const first = await takeNumbers(db, `ANOM-${period}`, most);
  await db.rows(sql`
    insert into anomaly (name, kind, mda, mdas, severity, status, subject, evidence, raised_at,
      resolved_at, resolved_by, resolution)
    select ${`ANOM-${period}-`} || lpad((${first} - 1 + row_number() over (order by at, subject))::text, 6, '0'), kind,
      mdas[1], mdas, severity, (case when resolved then 'Resolved' else 'Open' end)::anomaly_status, subject, evidence,
      at, case when resolved then at + interval '3 days' end, case when resolved then 'head@history.example' end,
      case when resolved then 'Settled with whom it concerns' end
    from (${found}) f, lateral (
      select kind <> 'reversal' and abs(hashtext(subject)) % 3 > 0 and at + interval '3 days' <= ${now} as resolved
    ) r
    order by at, subject`);
}
