import type { Call } from '../../platform/call/call.ts';
import { MOST_COUNTED } from '../../platform/reading/page.ts';
import { sql } from '../../platform/database/sql.ts';
import { listIntegrationStatuses } from '../../collection/agencies/integrations.ts';
import { isOfLasting } from '../../accounts/endpoints/matching.ts';
import { isSnoozed } from '../../collection/anomalies/find.ts';

/** Kinds of causes that failures are grouped by. */
export const CAUSES = {
  connection: 'Endpoints of agencies whose last probe failed, and authorities and channels whose calls fail now.',
  integrator: 'Webhook messages that an integrator did not get.',
  agency: 'Notices that an agency did not get.',
  anomaly: 'Open anomalies of one kind, of one agency and of one day, without those that are snoozed.',
} as const;

export type CauseKind = keyof typeof CAUSES;

/** Failures that have one cause, as far as one can tell. */
export interface Cause {
  readonly kind: CauseKind;
  readonly connection: string | null;
  readonly country: string | null;
  readonly integrator: string | null;
  readonly agency: string | null;
  readonly anomaly: string | null;
  readonly severity: string | null;
  readonly count: number;
  /** Null for connections: nothing is kept of when they began to fail. */
  readonly since: Date | null;
  readonly latest: Date | null;
  readonly httpStatus: number | null;
  readonly error: string | null;
  /** The only one of them; null where there are several. */
  readonly only: string | null;
}

/** The most causes that are told. */
export const MOST_CAUSES = 50;

const only = sql`case when count(*) = 1 then min(name) end`;

/** Failures that nobody has seen to yet, by cause: connections first, then the most severe, of these the latest. */
export async function listCauses(call: Call): Promise<Cause[]> {
  const [connections, others] = await Promise.all([listFailingConnections(call), listFailures(call)]);
  return [...connections, ...others].slice(0, MOST_CAUSES);
}

const nothing = {
  integrator: null,
  agency: null,
  anomaly: null,
  severity: null,
  httpStatus: null,
  only: null,
} as const;

/**
 * The kinds of connected agencies with endpoints whose last probe failed; and what is left alone at present since calls
 * of it keep failing, as this process sees it: `identity` or `card` of a country.
 */
async function listFailingConnections(call: Call): Promise<Cause[]> {
  const [probed, statuses] = await Promise.all([
    call.db.rows<Pick<Cause, 'count' | 'latest' | 'error'> & { readonly connection: string }>(sql`
      select agency_kind as connection, count(*)::int as count, max(probed_at) as latest,
        (array_agg(probe_status order by probed_at desc))[1] as error
      from agency_endpoint where probe_status <> 'ok' group by agency_kind order by agency_kind`),
    listIntegrationStatuses(call),
  ]);
  const failing = statuses.filter(({ status, connected }) => status === 'unavailable' && connected);
  return [
    ...failing.map(({ country, part }) => ({ connection: part, country, count: 1, latest: null, error: null })),
    ...probed.filter(({ connection }) => isCalled(call, connection)).map((one) => ({ ...one, country: null })),
  ].map((one) => ({ ...nothing, kind: 'connection', since: null, ...one }));
}

const isCalled = ({ rail }: Call, kind: string) => ['connected', 'unavailable'].includes(rail.agencies.statusOf(kind));

function listFailures(call: Call): Promise<Cause[]> {
  return call.db.rows<Cause>(sql`
    with messages as (
      select 'integrator' as kind, integrator, null as agency, null as anomaly, null as severity, count(*)::int as count,
        min(created_at) as since, max(updated_at) as latest, mode() within group (order by last_http_status) as http_status,
        null as error, ${only} as only_id
      from webhook_delivery d where status = 'dead' and ${isOfLasting} group by integrator
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
    select kind, null as connection, null as country, integrator, agency, anomaly, severity, count, since, latest, http_status as "httpStatus", error, only_id as only
    from (table messages union all table notices union all table anomalies) r
    order by array_position(array['high', 'medium', 'low'], coalesce(severity, 'high')), latest desc, kind, coalesce(integrator, agency), anomaly limit ${MOST_CAUSES}`);
}
