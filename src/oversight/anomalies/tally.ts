import type { Call } from '../../platform/call/call.ts';
import { type Sql, empty, joined, raw, sql } from '../../platform/database/sql.ts';
import type { AnomalyKind, Severity } from '../../collection/anomalies/kinds.ts';
import type { AnomalyStatus } from '../../generated/prisma/enums.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { type Span, conditionsWithin } from '../figures/span.ts';
import { type AgeBand, ageBandOf, ageBandOfMonth, monthOf, monthsOfTwoAges } from '../root/ages.ts';

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
  const asked = { ...question, groupBy: ANOMALY_GROUPINGS.filter((grouping) => question.groupBy.includes(grouping)) };
  const keys = asked.groupBy.map((grouping) => raw(grouping));
  return call.oversight.rows<AnomalyTally>(
    sql`
    select ${joined([...keys, sql`sum(r.count)::int as count`])}, min(r.oldest) as oldest, max(r.newest) as newest
    from (${isSummed(asked) ? selectSummed(asked, call.now()) : selectEach(asked, call.now())}) r
    ${keys.length > 0 ? sql`group by ${joined(keys)}` : sql`having count(*) > 0`}
    order by ${joined([sql`count desc`, sql`oldest`, ...keys])}`,
    'each time',
  );
}

/** Days are no sums, and neither are anomalies of any of several agencies, of which one may concern two. */
function isSummed({ groupBy, agency }: AnomalyTallyQuestion): boolean {
  return !groupBy.includes('day') && (groupBy.includes('agency') || agency == null || agency.length === 1);
}

/** Anomalies by month, and those of the months that have no sum of what is asked one by one. */
function selectSummed(question: AnomalyTallyQuestion, now: Date): Sql {
  const { groupBy, agency = null } = question;
  const parted = monthsParted(question, groupBy.includes('age') ? now : null);
  return sql`
    with single as materialized (
      select month from oversight.anomaly_waiting union select unnest(${parted}::date[])
    )
    select ${columnsOf(groupBy, {
      agency: sql`nullif(r.mda, '')`,
      age: ageBandOfMonth(sql`r.month`, now),
    })} r.count, r.oldest, r.newest
    from (
      select *, month::timestamp at time zone 'utc' as raised_at from oversight.anomaly_sum s
      where by_agency = ${groupBy.includes('agency') || agency !== null}
        and not exists (select from single o where o.month = s.month)) r
    where ${conditionsOf(question)} and ${isOf(agency, sql`r.mda`)}
    union all
    select f.* from single o cross join lateral (${selectEach(
      question,
      now,
      sql`r.raised_at >= o.month::timestamp at time zone 'utc'
        and r.raised_at < (o.month + interval '1 month') at time zone 'utc'`,
    )} offset 0) f`;
}

/** Anomalies one by one: once for each agency that they concern where agencies are told apart. */
function selectEach(question: AnomalyTallyQuestion, now: Date, condition: Sql = sql`true`): Sql {
  const { groupBy, agency = null } = question;
  const byAgency = groupBy.includes('agency');
  // What concerns nobody is of no agency.
  const agencies = sql`unnest(case when r.mdas = '{}' then array[null::text] else r.mdas end)`;
  return sql`
    select ${columnsOf(groupBy, {
      agency: sql`r.agency`,
      age: ageBandOf(sql`r.raised_at`, now),
      day: sql`(r.raised_at at time zone 'UTC')::date`,
    })} 1 as count, r.raised_at as oldest, r.raised_at as newest
    from (
      select r.kind, r.severity, r.raised_at, ${byAgency ? agencies : sql`null`} as agency
      from oversight.anomaly_standing r
      where ${conditionsOf(question)} and (${agency}::text[] is null or r.mdas && ${agency}::text[]) and ${condition}
    ) r
    ${byAgency ? sql`where ${isOf(agency, sql`r.agency`)}` : empty}`;
}

/** The columns by which anomalies `r` are grouped, each with a comma after it. */
function columnsOf(groupBy: readonly AnomalyGrouping[], values: Readonly<Partial<Record<AnomalyGrouping, Sql>>>): Sql {
  const columns = groupBy.map((grouping) => sql`${values[grouping] ?? sql`r.${raw(grouping)}`} as ${raw(grouping)},`);
  return columns.length > 0 ? joined(columns, ' ') : empty;
}

function conditionsOf({ kind = null, severity = null, status, fromDate, toDate }: AnomalyTallyQuestion): Sql {
  const within = conditionsWithin({ fromDate, toDate }, sql`r.raised_at`, sql`r.mda`).filter((one) => one !== null);
  return sql`${joined([sql`r.status = ${status}::anomaly_status`, ...within], ' and ')}
    and (${kind}::text[] is null or r.kind = any(${kind})) and (${severity}::text[] is null or r.severity = any(${severity}))`;
}

const isOf = (agencies: readonly string[] | null, column: Sql) =>
  sql`(${agencies}::text[] is null or ${column} = any(${agencies}))`;

/** The months that the ends of a span, or of bands of ages at a moment, divide. */
function monthsParted({ fromDate, toDate }: Span, now: Date | null): readonly string[] {
  const ends = [fromDate, toDate && new Date(toDate.getTime() + DAY_MS)].filter((end) => end != null);
  return [...new Set([...ends.map(monthOf), ...(now ? monthsOfTwoAges(now) : [])])];
}
