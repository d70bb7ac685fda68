import { OF_ACCOUNTS, whereVisible } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { type AuditEvent, HOT_DAYS } from '../../platform/audit/trail.ts';
import { type Stored, columnsOf } from '../../platform/database/record.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { loadByName, nowTogether } from '../../platform/reading/batch.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import { nameByMoment } from '../../platform/reading/moment-names.ts';
import { type Listing, type Page, type PageArgs, readPage, readPageOf } from '../../platform/reading/page.ts';
import { matchAnywhere } from '../../kernel/text/matching.ts';
import { DAY_MS } from '../../kernel/time.ts';

/** What the audit log says of a request. */
export type LogEntry = Omit<Stored<'AuditEntry'>, 'id' | 'integrator' | 'actor'> & {
  /** Its time and the number that it has among those of the same time. */
  readonly name: string;
};

export interface LogFilter {
  readonly endpoint?: string | null | undefined;
  readonly event?: AuditEvent | null | undefined;
  readonly minStatus?: number | null | undefined;
}

const names = nameByMoment('ts');

const entries = sql`(select ${names.column} as name, * from audit_log)`;

const entrySelect = sql`
  select r.name, ${columnsOf('AuditEntry', { without: ['id', 'integrator', 'actor'] })} from ${entries} r`;

/** What the name of an entry looks like. */
export const ENTRY_NAME = names.pattern;

/** The condition that an entry is not older than what is shown. */
function whereShown(call: Call): Sql {
  return sql`r.ts > ${new Date(nowTogether(call).getTime() - HOT_DAYS * DAY_MS)}`;
}

/** The conditions of an event, each by the statuses that it is of: an index holds what went wrong. */
const OF_EVENT: Readonly<Record<AuditEvent, Sql>> = {
  'api.auth.granted': sql`r.http_status < 500 and r.http_status not in (401, 403)`,
  'api.auth.denied': sql`r.http_status in (401, 403)`,
  'api.handler.error': sql`r.http_status >= 500`,
};

/**
 * The endpoints that the log knows and a text is found in. There are about a hundred of them, which are found in an
 * index one after the other; lines are then looked up by them.
 */
async function findEndpoints({ db }: Call, text: string): Promise<string[]> {
  const rows = await db.rows<{ endpoint: string }>(sql`
    with recursive known as (
      (select endpoint from audit_log order by endpoint limit 1)
      union all
      select (select a.endpoint from audit_log a where a.endpoint > k.endpoint order by a.endpoint limit 1) from known k
      where k.endpoint is not null
    )
    select endpoint from known where lower(endpoint) like ${matchAnywhere(text)}`);
  return rows.map(({ endpoint }) => endpoint);
}

async function listing(call: Call, filter: LogFilter): Promise<Listing> {
  const endpoints = filter.endpoint == null ? null : await findEndpoints(call, filter.endpoint);

  return {
    select: entrySelect,
    table: entries.text,
    named: names.isNamed,
    order: ['ts', 'id'],
    direction: 'desc',
    where: [whereVisible(call.viewer, OF_ACCOUNTS), whereShown(call)],
    filters: [
      ifGiven(endpoints, (known) => sql`r.endpoint = any(${known})`),
      ifGiven(filter.event, (event) => OF_EVENT[event]),
      ifGiven(filter.minStatus, (status) => sql`r.http_status >= ${status}`),
    ],
  };
}

/** The requests of the caller's integrator, newest first. */
export async function listLogs(call: Call, filter: LogFilter, page: PageArgs): Promise<Page<LogEntry>> {
  return readPage(call, await listing(call, filter), page);
}

/** The requests of one integrator, newest first. */
export async function listLogsOf(
  call: Call,
  integrator: string,
  filter: LogFilter,
  page: PageArgs,
): Promise<Page<LogEntry>> {
  return readPageOf(call, await listing(call, filter), sql`r.integrator`, integrator, page);
}

/** The requests of the caller's integrator by name. */
export const logLoader = loadByName<LogEntry>((call, asked) => {
  const parts = asked.map((name) => names.partsOf(name)).filter((each) => each !== null);
  const [times, ids] = [parts.map(({ at }) => at), parts.map(({ id }) => id)];
  return call.db.rows(sql`
    ${entrySelect} where (r.ts, r.id) in (select * from unnest(${times}::timestamptz[], ${ids}::uuid[]))
      and ${whereVisible(call.viewer, OF_ACCOUNTS)} and ${whereShown(call)}`);
});
