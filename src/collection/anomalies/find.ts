import type { Call } from '../../platform/call/call.ts';
import { loadByName } from '../../platform/reading/batch.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import { MOST_COUNTED, type Page, type PageArgs, readPage } from '../../platform/reading/page.ts';
import { columnsOf } from '../../platform/database/record.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import type { Anomaly } from '../../generated/prisma/client.ts';
import type { AnomalyStatus } from '../../generated/prisma/enums.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { dayOf } from '../../kernel/time.ts';
import type { AnomalyKind } from './kinds.ts';
import { say } from '../../kernel/text/said.ts';

const anomalySelect = sql`select ${columnsOf('Anomaly')} from anomaly r`;

export interface AnomalyFilter {
  readonly status?: AnomalyStatus | null | undefined;
  readonly kind?: readonly string[] | null | undefined;
  readonly severity?: readonly string[] | null | undefined;
  readonly agency?: string | null | undefined;
  readonly assignee?: string | null | undefined;
  readonly snoozed?: boolean | null | undefined;
  readonly orderBy?: AnomalyOrder | null | undefined;
}

export type AnomalyOrder = 'raised_desc' | 'raised_asc';

/** True if an anomaly waits for a day that has not come. */
export function isSnoozed({ now }: Pick<Call, 'now'>): Sql {
  return sql`coalesce(snoozed_until > ${dayOf(now())}, false)`;
}

/** Anomalies, newest first unless asked otherwise. */
export function listAnomalies(call: Call, filter: AnomalyFilter, page: PageArgs): Promise<Page<Anomaly>> {
  return readPage(
    call,
    {
      select: anomalySelect,
      table: 'anomaly',
      order: ['raised_at', 'name'],
      direction: filter.orderBy === 'raised_asc' ? 'asc' : 'desc',
      where: [],
      filters: [
        ifGiven(filter.status, (status) => sql`r.status = ${status}::anomaly_status`),
        ifGiven(filter.kind, (kinds) => sql`r.kind = any(${kinds})`),
        ifGiven(filter.severity, (severities) => sql`r.severity = any(${severities})`),
        ifGiven(filter.agency, (mda) => sql`r.mdas @> array[${mda}::text]`),
        ifGiven(filter.assignee, (email) => sql`r.assignee = ${email}`),
        ifGiven(filter.snoozed, (snoozed) => sql`${isSnoozed(call)} = ${snoozed}::boolean`),
      ],
    },
    page,
  );
}

/** Anomalies by docname. */
export const anomalyLoader = loadByName<Anomaly>(({ db }, names) =>
  db.rows(sql`${anomalySelect} where r.name = any(${names})`),
);

export async function getAnomaly(call: Call, name: string): Promise<Anomaly> {
  const anomaly = await anomalyLoader.load(call, name);
  if (!anomaly) throw new Refusal('not_found', say`The anomaly does not exist`);
  return anomaly;
}

/** The open anomaly of a kind that is about something; null where none was raised, or it was resolved. */
export function findOpenAnomaly({ db }: Call, kind: AnomalyKind, subject: string): Promise<Anomaly | null> {
  return db.row<Anomaly>(sql`${anomalySelect} where r.kind = ${kind} and r.subject = ${subject} and r.status = 'Open'`);
}

/** The open anomalies of some kinds. */
export function listOpenAnomalies({ db }: Call, kinds: readonly AnomalyKind[]): Promise<Anomaly[]> {
  return db.rows<Anomaly>(sql`${anomalySelect} where r.kind = any(${[...kinds]}) and r.status = 'Open'`);
}

/** Number of open anomalies that are not snoozed, by severity. */
export interface OpenAnomalies {
  readonly high: number;
  readonly medium: number;
  readonly low: number;
}

/** Counts open anomalies, the newest of them as far as lists are counted. */
export async function countOpenAnomalies(call: Pick<Call, 'db' | 'now'>): Promise<OpenAnomalies> {
  const row = await call.db.row<OpenAnomalies>(sql`
    select count(*) filter (where severity = 'high')::int as high,
      count(*) filter (where severity = 'medium')::int as medium, count(*) filter (where severity = 'low')::int as low
    from (select severity from anomaly where status = 'Open' and not ${isSnoozed(call)} order by raised_at desc
      limit ${MOST_COUNTED + 1}) r`);
  return row!;
}
