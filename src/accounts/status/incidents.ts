import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import type { NoticeSeverity } from '../notices/content.ts';

/** A notice that was in effect, as a part of the history of the service. */
export interface Incident {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly severity: NoticeSeverity;
  readonly channels: readonly string[];
  readonly agencyIds: readonly string[];
  readonly startedAt: Date;
  /** Time at which it ended, or was withdrawn; null while it is in effect until further notice. */
  readonly endedAt: Date | null;
  readonly open: boolean;
}

const MOST = 50;

/** The notices to everybody that were or are in effect since a day, the latest first. */
export function listIncidents({ db, now }: Call, first: string): Promise<Incident[]> {
  return db.rows<Incident>(sql`
    select name as id, title, body, severity, channels, mdas as "agencyIds", starts_at as "startedAt",
      ended as "endedAt", ended is null or ended > ${now()} as open
    from service_notice, lateral (select least(ends_at, withdrawn_at) as ended) e
    where cardinality(rooms) = 0 and starts_at <= ${now()} and (withdrawn_at is null or withdrawn_at > starts_at)
      and (ended is null or ended >= ${first}::date::timestamp at time zone 'utc')
    order by starts_at desc, name desc limit ${MOST}`);
}
