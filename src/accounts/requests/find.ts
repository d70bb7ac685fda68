import type { Call } from '../../platform/call/call.ts';
import { ifGiven } from '../../platform/change/page.ts';
import { type Stored, columnsOf } from '../../platform/database/record.ts';
import { joined, sql } from '../../platform/database/sql.ts';
import { type AuditEvent, HOT_DAYS } from '../../platform/audit/trail.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { matchAnywhere } from '../../kernel/text/matching.ts';
import { DAY_MS, isWithinReach } from '../../kernel/time.ts';

/** What the audit log says of a request. */
export type LogEntry = Omit<Stored<'AuditEntry'>, 'id' | 'integrator' | 'actor'>;

export interface LogFilter {
  readonly endpoint?: string | null | undefined;
  readonly event?: AuditEvent | null | undefined;
  readonly minStatus?: number | null | undefined;
}

/**
 * The requests of the caller's integrator, newest first. An entry has no name, so that a page ends in a mark made of
 * its time and id, from which the next one goes on.
 */
export async function listLogs(
  call: Call,
  filter: LogFilter,
  page: { start: number; limit: number; after?: string | null | undefined },
): Promise<LogEntry[]> {
  const { start, limit, after } = page;
  const conditions = [
    sql`integrator = ${call.viewer.integrator}`,
    sql`ts > ${new Date(call.now().getTime() - HOT_DAYS * DAY_MS)}`,
    ifGiven(filter.endpoint, (text) => sql`lower(endpoint) like ${matchAnywhere(text)}`),
    ifGiven(filter.event, (event) => sql`event = ${event}`),
    ifGiven(filter.minStatus, (status) => sql`http_status >= ${status}`),
    ifGiven(after, (mark) => whereBeyond(mark)),
  ].filter((condition) => condition !== null);
  const rows = await call.db.rows<LogEntry & { id: string }>(sql`
    select ${columnsOf('AuditEntry', { without: ['integrator', 'actor'] })} from audit_log r
    where ${joined(conditions, ' and ')} order by ts desc, id desc limit ${limit + 1} offset ${start}`);
  if (rows.length > limit) {
    rows.pop();
    const last = rows.at(-1)!;
    call.nextAfter = `${last.ts.toISOString()}_${last.id}`;
  }
  return rows;
}

function whereBeyond(mark: string) {
  const [, ts, id] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)_([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(mark) ?? [];
  const at = new Date(ts ?? Number.NaN);
  if (!id || !isWithinReach(at)) throw refuseValue('after', 'does not name a row of this list');
  return sql`(ts, id) < (${at}, ${id}::uuid)`;
}
