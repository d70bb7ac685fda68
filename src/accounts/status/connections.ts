import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tries } from './health.ts';

/** How the agencies of a kind answered on a day. */
export interface ConnectionDay extends Tries {
  readonly kind: string;
  /** `YYYY-MM-DD`, a UTC day. */
  readonly day: string;
}

/** The kinds of agencies that there are endpoints of. */
export async function listKinds({ db }: Call): Promise<string[]> {
  const rows = await db.rows<{ kind: string }>(
    sql`select distinct agency_kind as kind from agency_endpoint order by kind`,
  );
  return rows.map(({ kind }) => kind);
}

/** How agencies answered since a day, by the calls with which operators tried their endpoints. */
export function readConnectionDays({ db }: Call, first: string): Promise<ConnectionDay[]> {
  return db.rows<ConnectionDay>(sql`
    select e.agency_kind as kind, (a.at at time zone 'utc')::date::text as day, count(*)::int as tries,
      (count(*) filter (where a.after ->> 'last_probe_status' = 'ok'))::int as well
    from operator_audit a join agency_endpoint e on e.id = a.subject
    where a.action = 'agency_endpoint.probe' and a.at >= ${first}::date::timestamp at time zone 'utc'
    group by 1, 2 order by 2`);
}
