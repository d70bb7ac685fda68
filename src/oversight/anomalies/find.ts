import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { loadByName } from '../../platform/reading/batch.ts';
import { ifGiven, isAnyOf } from '../../platform/reading/conditions.ts';
import { type Page, type PageArgs, readPage } from '../../platform/reading/page.ts';
import type { AnomalyStatus } from '../../generated/prisma/enums.ts';
import { type Span, conditionsWithin } from '../common/span.ts';

export interface OverseenAnomaly {
  readonly name: string;
  readonly kind: string;
  readonly mda: string | null;
  /** The agencies concerned, the one with the largest share first. */
  readonly mdas: readonly string[];
  readonly severity: string;
  readonly status: AnomalyStatus;
  readonly raisedAt: Date;
  readonly evidence: unknown;
}

export interface OverseenAnomalyFilter extends Span {
  readonly kind?: readonly string[] | null | undefined;
  readonly agency?: readonly string[] | null | undefined;
  readonly severity?: readonly string[] | null | undefined;
  readonly status?: readonly AnomalyStatus[] | null | undefined;
}

const anomalySelect = sql`
  select r.name, r.kind, r.mda, r.mdas, r.severity, r.status, r.raised_at as "raisedAt", r.evidence
  from oversight.anomaly r`;

/** Anomalies by docname. */
export const overseenAnomalyLoader = loadByName<OverseenAnomaly>(({ oversight }, names) =>
  oversight.rows(sql`${anomalySelect} where r.name = any(${names})`),
);

/** Anomalies, newest first, with what of their evidence leads to nobody. */
export function listOverseenAnomalies(
  call: Call,
  filter: OverseenAnomalyFilter,
  page: PageArgs,
): Promise<Page<OverseenAnomaly>> {
  return readPage(
    call,
    {
      select: anomalySelect,
      table: 'oversight.anomaly',
      order: ['raised_at', 'name'],
      direction: 'desc',
      where: [],
      filters: [
        ifGiven(filter.kind, (kinds) => sql`r.kind = any(${kinds})`),
        ifGiven(filter.agency, (agencies) => sql`r.mdas && ${agencies}::text[]`),
        ifGiven(filter.severity, (severities) => sql`r.severity = any(${severities})`),
        ifGiven(filter.status, (statuses) => isAnyOf(sql`r.status`, statuses, 'anomaly_status')),
        ...conditionsWithin(filter, sql`r.raised_at`, sql`r.mda`),
      ],
      db: call.oversight,
    },
    page,
  );
}
