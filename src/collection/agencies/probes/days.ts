import type { Call } from '../../../platform/call/call.ts';
import { type Step, step } from '../../../platform/change/step.ts';
import { type Purging, purgeRows } from '../../../platform/change/purge.ts';
import { sql } from '../../../platform/database/sql.ts';
import { loadTogether } from '../../../platform/reading/batch.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import { DAY_MS, dayOf, formatDay } from '../../../kernel/time.ts';
import { say } from '../../../kernel/text/said.ts';

/**
 * For how long it is kept how endpoints answered: a year and a month, so that a month can be compared with that of a
 * year ago.
 */
export const PROBE_DAYS = 400;

/** Outcome of a probe. */
export interface Outcome {
  /** Status as `AgencyEndpoint.lastProbeStatus` has it. */
  readonly status: string;
  readonly ms: number;
  /** True if the agency answered at all: otherwise the duration says nothing. */
  readonly answered: boolean;
}

/** Results of an endpoint's probes on a day. */
export interface ProbeDay {
  readonly endpoint: string;
  /** A UTC day, `YYYY-MM-DD`. */
  readonly day: string;
  readonly probes: number;
  readonly succeeded: number;
  /** Over the probes that were answered; null where none was. */
  readonly meanMs: number | null;
  readonly maxMs: number | null;
}

/** The step that counts a probe among those of its day. */
export function countProbe({ now }: Call, endpoint: string, outcome: Outcome, changed: Step): Step {
  const { status, ms, answered } = outcome;
  const timed = answered ? 1 : 0;
  return step('counted')`
    insert into agency_endpoint_day as d (endpoint, day, probes, succeeded, timed, total_ms, most_ms)
    select ${endpoint}, ${formatDay(now())}::date, 1, ${status === 'ok' ? 1 : 0}::int, ${timed}::int,
      ${answered ? ms : 0}::int, ${answered ? ms : null}::int from ${changed}
    on conflict (endpoint, day) do update set probes = d.probes + 1, succeeded = d.succeeded + excluded.succeeded,
      timed = d.timed + excluded.timed, total_ms = d.total_ms + excluded.total_ms,
      most_ms = greatest(d.most_ms, excluded.most_ms)`;
}

/** Results of an endpoint's probes on each of the last days on which there were any, including today, oldest first. */
export async function listProbeDays(call: Call, endpoint: string, days: number): Promise<readonly ProbeDay[]> {
  if (days < 1 || days > PROBE_DAYS) throw refuseValue('days', say`must be between ${1} and ${PROBE_DAYS}`);
  const first = formatDay(new Date(dayOf(call.now()).getTime() - (days - 1) * DAY_MS));
  const found = await loadTogether(call, `probes since ${first}`, endpoint, async (endpoints) => {
    const rows = await call.db.rows<ProbeDay>(sql`
      select endpoint, day::text as day, probes, succeeded,
        round(total_ms::numeric / nullif(timed, 0))::int as "meanMs", most_ms as "maxMs"
      from agency_endpoint_day where endpoint = any(${endpoints}) and day >= ${first}::date order by endpoint, day`);
    return Map.groupBy(rows, (row) => row.endpoint);
  });
  return found ?? [];
}

/** Forgets how endpoints answered long ago; how many of their days. */
export async function purgeProbeDays(purging: Purging): Promise<number> {
  const first = formatDay(new Date(dayOf(purging.now()).getTime() - PROBE_DAYS * DAY_MS));
  return purgeRows(purging, 'agency_endpoint_day', sql`day < ${first}::date`);
}
