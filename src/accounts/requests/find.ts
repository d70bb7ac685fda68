import { OF_ACCOUNTS, whereVisible } from '../../platform/access/owned.ts';
import type { ArchivedEntry } from '../../platform/audit/archived.ts';
import type { Call } from '../../platform/call/call.ts';
import { type AuditEvent, HOT_DAYS } from '../../platform/audit/trail.ts';
import { columnsOf } from '../../platform/database/record.ts';
import { type Sql, joined, raw, sql } from '../../platform/database/sql.ts';
import { loadByName, nowTogether } from '../../platform/reading/batch.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import { nameByMoment } from '../../platform/reading/moment-names.ts';
import { type Listing, type Page, type PageArgs, readPage, readPageOf } from '../../platform/reading/page.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { foldForSearch, matchAnywhere } from '../../kernel/text/matching.ts';
import { DAY_MS, dayOf } from '../../kernel/time.ts';
import { type Span, type SpanListing, readAcross } from './across.ts';
import type { LogEntry } from './entry.ts';
import { say } from '../../kernel/text/said.ts';

/** Sender of requests: a program to the API, or somebody who is signed in to pages. */
export type RequestKind = 'api' | 'page';

/** Endpoints of programs, as `isOfPrograms` and the database know them. */
const OF_PROGRAMS = String.raw`^\w+ /(v1|graphql)(/|$)`;

const isOfPrograms = (endpoint: string) => new RegExp(OF_PROGRAMS).test(endpoint);

export interface LogFilter {
  readonly endpoint?: string | null | undefined;
  readonly event?: AuditEvent | null | undefined;
  readonly minStatus?: number | null | undefined;
  readonly key?: string | null | undefined;
  readonly requestId?: string | null | undefined;
  readonly kind?: RequestKind | null | undefined;
  readonly object?: string | null | undefined;
  /** The days of the span, both included, in which archived rows are found too. */
  readonly fromDate?: Date | null | undefined;
  readonly toDate?: Date | null | undefined;
}

const names = nameByMoment('ts');

const entries = sql`(select ${names.column} as name, * from audit_log)`;

const entrySelect = sql`
  select r.name, ${columnsOf('AuditEntry', { without: ['id', 'integrator', 'actor'] })} from ${entries} r`;

/** Form of an entry's name. */
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
    select endpoint from known where fold_for_search(endpoint) like ${matchAnywhere(text)}`);
  return rows.map(({ endpoint }) => endpoint);
}

/** The conditions of a filter, except its days. */
async function conditionsOf(call: Call, filter: LogFilter): Promise<(Sql | null)[]> {
  const endpoints = filter.endpoint == null ? null : await findEndpoints(call, filter.endpoint);
  return [
    ifGiven(endpoints, (known) => sql`r.endpoint = any(${known})`),
    ifGiven(filter.event, (event) => OF_EVENT[event]),
    ifGiven(filter.minStatus, (status) => sql`r.http_status >= ${status}`),
    ifGiven(filter.key, (key) => sql`r.key = ${key}`),
    ifGiven(filter.requestId, (id) => sql`r.request_id = ${id}`),
    ifGiven(filter.kind, (kind) => sql`(r.endpoint ~ ${OF_PROGRAMS}) = ${kind === 'api'}`),
    ifGiven(filter.object, (object) => sql`r.object = ${object}`),
  ];
}

async function listing(call: Call, filter: LogFilter): Promise<Listing> {
  return {
    select: entrySelect,
    table: entries.text,
    named: names.isNamed,
    order: ['ts', 'id'],
    direction: 'desc',
    where: [whereVisible(call.viewer, OF_ACCOUNTS), whereShown(call)],
    filters: await conditionsOf(call, filter),
  };
}

/** The requests of the caller's integrator, newest first: of the last 90 days, or of the days asked for. */
export async function listLogs(call: Call, filter: LogFilter, page: PageArgs): Promise<Page<LogEntry>> {
  const span = spanOf(call, filter);
  return span
    ? listWithin(call, call.viewer.integrator, filter, span, page)
    : readPage(call, await listing(call, filter), page);
}

/** The requests of one integrator, newest first. */
export async function listLogsOf(
  call: Call,
  integrator: string,
  filter: LogFilter,
  page: PageArgs,
): Promise<Page<LogEntry>> {
  const span = spanOf(call, filter);
  return span
    ? listWithin(call, integrator, filter, span, page)
    : readPageOf(call, await listing(call, filter), sql`r.integrator`, integrator, page);
}

/** The requests of a span, those at hand and those in the archive. */
async function listWithin(
  call: Call,
  integrator: string | null,
  filter: LogFilter,
  { from, to }: Span,
  page: PageArgs,
): Promise<Page<LogEntry>> {
  const whole = [
    whereVisible(call.viewer, OF_ACCOUNTS),
    sql`r.integrator = ${integrator} and r.ts >= ${from} and r.ts < ${to}`,
    ...(await conditionsOf(call, filter)),
  ].filter((condition) => condition !== null);
  const ours = (entry: ArchivedEntry) => entry.integrator === integrator && mayBe(filter, entry);
  const { endpoint, event, minStatus, key, requestId, kind, object } = filter;
  const list: SpanListing = {
    from,
    to,
    matches: call.viewer.integrator === integrator ? ours : () => false,
    purpose: JSON.stringify([integrator, from, to, endpoint, event, minStatus, key, requestId, kind, object]),
    partsOf: names.partsOf,
    readHot: (bounds, direction, limit) =>
      call.db.rows(
        sql`${entrySelect} where ${joined([...whole, ...bounds], ' and ')} order by r.ts ${raw(direction)}, r.id ${raw(direction)} limit ${limit}`,
        'each time',
      ),
    countHot: async (most) => {
      const row = await call.db.row<{ count: number }>(
        sql`select count(*)::int as count from (select from ${entries} r where ${joined(whole, ' and ')} limit ${most}) c`,
      );
      return row!.count;
    },
  };
  return readAcross(call, list, page);
}

/** True if an entry of the archive matches a filter, by the same conditions as entries at hand. */
function mayBe({ endpoint, event, minStatus, key, requestId, kind, object }: LogFilter, entry: ArchivedEntry): boolean {
  if (kind != null && isOfPrograms(entry.endpoint) !== (kind === 'api')) return false;
  if (object != null && entry.object !== object) return false;
  if (endpoint != null && !foldForSearch(entry.endpoint).includes(foldForSearch(endpoint))) return false;
  if ((key != null && entry.key !== key) || (requestId != null && entry.request_id !== requestId)) return false;
  return (event == null || entry.event === event) && (minStatus == null || entry.http_status >= minStatus);
}

/** Most days that one question may span. */
const MOST_DAYS = 366;

/** The span of the days that were asked for; null where none were. Refuses what ends before it begins, or is long. */
function spanOf(call: Call, { fromDate, toDate }: LogFilter): Span | null {
  if (fromDate == null && toDate == null) return null;
  const to = new Date((toDate ?? dayOf(call.now())).getTime() + DAY_MS);
  const from = fromDate ?? new Date(to.getTime() - HOT_DAYS * DAY_MS);
  if (from >= to) throw refuseValue('toDate', say`must not be before ${'fromDate'}`);
  if (to.getTime() - from.getTime() > MOST_DAYS * DAY_MS)
    throw refuseValue('fromDate', say`must be less than ${MOST_DAYS} days before ${'toDate'}`);
  return { from, to };
}

/** The requests of the caller's integrator by name. */
export const logLoader = loadByName<LogEntry>((call, asked) => {
  const parts = asked.map((name) => names.partsOf(name)).filter((each) => each !== null);
  const [times, ids] = [parts.map(({ at }) => at), parts.map(({ id }) => id)];
  return call.db.rows(sql`
    ${entrySelect} where (r.ts, r.id) in (select * from unnest(${times}::timestamptz[], ${ids}::uuid[]))
      and ${whereVisible(call.viewer, OF_ACCOUNTS)} and ${whereShown(call)}`);
});
