import type { Call } from '../../platform/call/call.ts';
import { type Sql, joined, raw, sql } from '../../platform/database/sql.ts';
import type { AnomalyKind, Severity } from '../../collection/anomalies/kinds.ts';
import type { AnomalyStatus } from '../../generated/prisma/enums.ts';
import { type Span, conditionsWithin } from '../figures/span.ts';
import { type AgeBand, ageBandOf } from '../root/ages.ts';

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
 * apart, and once where they are not.
 */
export function tallyAnomalies(call: Call, question: AnomalyTallyQuestion): Promise<AnomalyTally[]> {
  const { groupBy, kind = null, severity = null, agency = null, status } = question;
  const keyOf: Readonly<Record<AnomalyGrouping, Sql>> = {
    kind: sql`r.kind`,
    severity: sql`r.severity`,
    agency: sql`c.agency`,
    age: ageBandOf(sql`r.raised_at`, call.now()),
    day: sql`(r.raised_at at time zone 'UTC')::date`,
  };
  const groupings = ANOMALY_GROUPINGS.filter((grouping) => groupBy.includes(grouping));
  const keys = groupings.map((grouping) => sql`${keyOf[grouping]} as ${raw(grouping)}`);
  const agencies = sql`cross join lateral (
    select agency from unnest(r.mdas) agency where ${agency}::text[] is null or agency = any(${agency})
    union all select null where cardinality(r.mdas) = 0) c`;
  const { fromDate, toDate } = question;
  const within = conditionsWithin({ fromDate, toDate }, sql`r.raised_at`, sql`r.mda`).filter((one) => one !== null);
  const places = groupings.map((_grouping, index) => raw(String(index + 1)));
  return call.oversight.rows<AnomalyTally>(sql`
    select ${keys.length > 0 ? sql`${joined(keys)},` : raw('')} count(*)::int as count, min(r.raised_at) as oldest,
      max(r.raised_at) as newest
    from oversight.anomaly_standing r ${groupings.includes('agency') ? agencies : raw('')}
    where ${joined([sql`r.status = ${status}::anomaly_status`, ...within], ' and ')}
      and (${kind}::text[] is null or r.kind = any(${kind})) and (${severity}::text[] is null or r.severity = any(${severity}))
      and (${agency}::text[] is null or r.mdas && ${agency}::text[])
    ${places.length > 0 ? sql`group by ${joined(places)}` : sql`having count(*) > 0`}
    order by count desc, ${joined([sql`oldest`, ...places])}`);
}
