import type { Call } from '../../platform/call/call.ts';
import { MOST_COUNTED } from '../../platform/reading/page.ts';
import { sql } from '../../platform/database/sql.ts';
import { isSnoozed } from '../../collection/anomalies/find.ts';

/** What failures are grouped by. */
export const CAUSES = {
  integrator: 'Webhook messages that an integrator did not get.',
  agency: 'Notices that an agency did not get.',
  anomaly: 'Open anomalies of one kind, of one agency and of one day, without those that are snoozed.',
} as const;

export type CauseKind = keyof typeof CAUSES;

/** Failures that have one cause, as far as one can tell. */
export interface Cause {
  readonly kind: CauseKind;
  readonly integrator: string | null;
  readonly agency: string | null;
  readonly anomaly: string | null;
  readonly severity: string | null;
  readonly count: number;
  readonly since: Date;
  readonly latest: Date;
  readonly httpStatus: number | null;
  readonly error: string | null;
  /** The only one of them; null where there are several. */
  readonly only: string | null;
}

/** The most causes that are told. */
export const MOST_CAUSES = 50;

const only = sql`case when count(*) = 1 then min(name) end`;

/** What failed and nobody has seen to yet, by its cause, the one that changed last first. */
export function listCauses(call: Call): Promise<Cause[]> {
  return call.db.rows<Cause>(sql`
    with messages as (
      select 'integrator' as kind, integrator, null as agency, null as anomaly, null as severity, count(*)::int as count,
        min(created_at) as since, max(updated_at) as latest, mode() within group (order by last_http_status) as http_status,
        null as error, ${only} as only_id
      from webhook_delivery where status = 'dead' group by integrator
    ), notices as (
      select 'agency', null, mda, null, null, count(*)::int, min(created_at), max(updated_at), null::int,
        (array_agg(last_error order by updated_at desc))[1], ${only}
      from propagation where status = 'dead' group by mda
    ), anomalies as (
      select 'anomaly', null, a.mda, a.kind, max(a.severity), count(*)::int, min(a.raised_at), max(a.raised_at), null::int,
        null, ${only}
      from (
        select * from anomaly where status = 'Open' and not ${isSnoozed(call)} order by raised_at desc limit ${MOST_COUNTED}
      ) a
      left join agency_calendar c on c.mda = a.mda
      group by a.kind, a.mda, (a.raised_at at time zone coalesce(c.time_zone, 'UTC'))::date
    )
    select kind, integrator, agency, anomaly, severity, count, since, latest, http_status as "httpStatus", error, only_id as only
    from (table messages union all table notices union all table anomalies) r
    order by latest desc, kind, coalesce(integrator, agency), anomaly limit ${MOST_CAUSES}`);
}
