import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tries } from './health.ts';

/** Results of the agencies of a kind on a day. */
export interface ConnectionDay extends Tries {
  readonly kind: string;
  /** `YYYY-MM-DD`, a UTC day. */
  readonly day: string;
}

/** A kind of agencies that there are endpoints of. */
interface Kind {
  readonly kind: string;
  /** Time at which one of these endpoints was last probed; null: never. */
  readonly lastCheckedAt: Date | null;
}

/** The kinds of agencies that there are endpoints of. */
export function listKinds({ db }: Call): Promise<Kind[]> {
  return db.rows<Kind>(sql`
    select agency_kind as kind, max(probed_at) as "lastCheckedAt" from agency_endpoint group by 1 order by 1`);
}

/** Results of agencies since a day, by the probes of their endpoints. */
export function readConnectionDays({ db }: Call, first: string): Promise<ConnectionDay[]> {
  return db.rows<ConnectionDay>(sql`
    select e.agency_kind as kind, d.day::text as day, sum(d.probes)::int as tries, sum(d.succeeded)::int as well
    from agency_endpoint_day d join agency_endpoint e on e.id = d.endpoint
    where d.day >= ${first}::date group by 1, 2 order by 2`);
}
