import type { Call } from '../../platform/call/call.ts';
import { type Sql, empty, joined, raw, sql } from '../../platform/database/sql.ts';
import type { AnomalyKind, Severity } from '../../collection/anomalies/kinds.ts';
import type { AnomalyStatus } from '../../generated/prisma/enums.ts';
import { DAY_MS, formatDay } from '../../kernel/time.ts';
import { type Span, conditionsWithin } from '../figures/span.ts';
import { type AgeBand, DIVIDING_DAYS, ageBandOf } from '../root/ages.ts';

export const ANOMALY_GROUPINGS = ['kind', 'severity', 'agency', 'age', 'day'] as const;
export type AnomalyGrouping = (typeof ANOMALY_GROUPINGS)[number];

/** How many anomalies there are of a group; what they are not grouped by is left out. */
export interface AnomalyTally {
  readonly kind?: AnomalyKind;
  readonly severity?: Severity;
  readonly agency?: string | null;
  readonly age?: AgeBand;
  readonly day?: Date;
  readonly count: number;
  readonly oldest: Date;
  readonly newest: Date;
}

export interface AnomalyTallyQuestion extends Span {
  readonly groupBy: readonly AnomalyGrouping[];
  readonly kind?: readonly AnomalyKind[] | null | undefined;
  readonly severity?: readonly Severity[] | null | undefined;
  readonly agency?: readonly string[] | null | undefined;
  readonly status: AnomalyStatus;
}

/**
 * Counts anomalies in groups, most first. One that concerns several agencies counts once for each where they are told
 * apart, and once where they are not. Whole months are sums, but for those that wait to be counted anew.
 */
export function tallyAnomalies(call: Call, question: AnomalyTallyQuestion): Promise<AnomalyTally[]> {
  const { groupBy, kind = null, severity = null, agency = null, status } = question;
  const now = call.now();
  const keyOf: Readonly<Record<AnomalyGrouping, Sql>> = {
    kind: sql`r.kind`,
    severity: sql`r.severity`,
    agency: sql`r.agency`,
    age: ageBandOf(sql`r.raised_at`, now),
    day: sql`(r.raised_at at time zone 'UTC')::date`,
  };
  const groupings = ANOMALY_GROUPINGS.filter((grouping) => groupBy.includes(grouping));
  const keys = groupings.map((grouping) => sql`${keyOf[grouping]} as ${raw(grouping)}`);
  const byAgency = groupings.includes('agency');
  const agencies = sql`cross join lateral (
    select agency from unnest(r.mdas) agency where ${agency}::text[] is null or agency = any(${agency})
    union all select null where cardinality(r.mdas) = 0) c`;
  const { fromDate, toDate } = question;
  const within = conditionsWithin({ fromDate, toDate }, sql`r.raised_at`, sql`r.mda`).filter((one) => one !== null);
  const conditions = sql`${joined([sql`r.status = ${status}::anomaly_status`, ...within], ' and ')}
    and (${kind}::text[] is null or r.kind = any(${kind})) and (${severity}::text[] is null or r.severity = any(${severity}))`;
  // Days are no sums, and neither are anomalies of any of several agencies, of which one may concern two.
  const summed = !groupings.includes('day') && (byAgency || agency === null || agency.length === 1);
  const parted = monthsParted(question, groupings.includes('age') ? now : null);
  const places = groupings.map((_grouping, index) => raw(String(index + 1)));
  const facts = sql`
    select r.kind, r.severity, ${byAgency ? raw('c.agency') : raw('null')} as agency, r.raised_at, 1 as count, r.raised_at as oldest,
      r.raised_at as newest
    from oversight.anomaly_standing r ${byAgency ? agencies : empty}
    where ${conditions} and (${agency}::text[] is null or r.mdas && ${agency}::text[])`;
  const rows = summed
    ? sql`
    with single as materialized (
      select month from oversight.anomaly_waiting union select unnest(${parted}::date[])
    )
    select r.kind, r.severity, nullif(r.mda, '') as agency, r.raised_at, r.count, r.oldest, r.newest from (
      select *, month::timestamp at time zone 'utc' as raised_at from oversight.anomaly_sum s
      where by_agency = ${byAgency || agency !== null} and not exists (select from single o where o.month = s.month)) r
    where ${conditions} and (${agency}::text[] is null or r.mda = any(${agency}))
    union all
    select f.* from single o cross join lateral (
      ${facts} and r.raised_at >= o.month::timestamp at time zone 'utc'
        and r.raised_at < (o.month + interval '1 month') at time zone 'utc' offset 0) f`
    : facts;
  return call.oversight.rows<AnomalyTally>(
    sql`
    select ${keys.length > 0 ? sql`${joined(keys)},` : raw('')} sum(r.count)::int as count, min(r.oldest) as oldest,
      max(r.newest) as newest
    from (${rows}) r
    ${places.length > 0 ? sql`group by ${joined(places)}` : sql`having count(*) > 0`}
    order by count desc, ${joined([sql`oldest`, ...places])}`,
    'each time',
  );
}

/** The months that the ends of a span, or of bands of ages at a moment, divide. */
function monthsParted({ fromDate, toDate }: Span, now: Date | null): readonly string[] {
  const ends = [
    fromDate,
    toDate && new Date(toDate.getTime() + DAY_MS),
    ...(now ? DIVIDING_DAYS.map((days) => new Date(now.getTime() - days * DAY_MS)) : []),
  ].filter((end) => end != null);
  return [...new Set(ends.map((end) => `${formatDay(end).slice(0, 7)}-01`))];
}
