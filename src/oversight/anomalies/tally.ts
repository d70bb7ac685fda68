import type { Call } from '../../platform/call/call.ts';
import { type Sql, empty, joined, raw, sql } from '../../platform/database/sql.ts';
import type { AnomalyKind, Severity } from '../../collection/anomalies/kinds.ts';
import type { AnomalyStatus } from '../../generated/prisma/enums.ts';
import { formatDay } from '../../kernel/time.ts';
import { type Span, checkSpan } from '../figures/span.ts';
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
  const { kind = null, severity = null, agency = null, status } = question;
  const { from, to } = checkSpan(question);
  const conditions = [
    sql`status = ${status}`,
    kind && sql`kind = any(${kind})`,
    severity && sql`severity = any(${severity})`,
    agency && sql`mda = any(${agency})`,
    from && sql`day >= ${formatDay(from)}::date`,
    to && sql`day <= ${formatDay(to)}::date`,
  ].filter((condition) => condition !== null);
  const columns: Readonly<Partial<Record<AnomalyGrouping, Sql>>> = {
    agency: sql`mda`,
    age: ageBandOf(sql`raised_at at time zone 'utc'`, call.now()),
  };
  const groupings = ANOMALY_GROUPINGS.filter((grouping) => question.groupBy.includes(grouping));
  const keys = groupings.map((grouping) => raw(grouping));
  const values = groupings.map((grouping) => sql`${columns[grouping] ?? raw(grouping)} as ${raw(grouping)},`);
  return call.analytics.rows<AnomalyTally>(sql`
    select ${values.length > 0 ? joined(values, ' ') : empty} count(distinct document)::int as count,
      min(raised_at) as oldest, max(raised_at) as newest
    from anomaly where ${joined(conditions, ' and ')}
    ${keys.length > 0 ? sql`group by ${joined(keys.map((_key, index) => raw(String(index + 1))))}` : sql`having count(*) > 0`}
    order by ${joined([sql`count desc`, sql`oldest`, ...keys])}`);
}
