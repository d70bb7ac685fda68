import { isOver } from '../../../platform/reading/ends.ts';
import { randomUUID } from 'node:crypto';
import { startLoop } from '../../../kernel/loop.ts';
import { actAsSystem } from '../../../platform/access/viewer.ts';
import { type Call, type Rail, callOf } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { AgencyEndpoint } from '../find.ts';
import { recordProbe } from './probe.ts';

/** Endpoints that a process probes at a time. */
const MOST_AT_A_TIME = 4;
/** Interval at which a process checks if an endpoint is due. */
const LOOK_MS = 10_000;

/**
 * Probes the endpoints of connected agencies for as long as it is not stopped. Any number of processes may: each
 * endpoint is taken in hand by one of them at a time.
 */
export function startProbing(rail: Rail): { stop(): Promise<void> } {
  const { probeSeconds, connections } = rail.config;
  const nobody = Object.keys(connections.agencies).length === 0;
  if (probeSeconds === 0 || nobody) return { stop: async () => {} };
  const round = async () => {
    const probed = await probeDue(callOf(rail, actAsSystem('job:probe'), randomUUID()));
    return probed === MOST_AT_A_TIME ? 0 : LOOK_MS;
  };
  return startLoop(rail.log, 'probes', round);
}

/**
 * Seconds between automatic probes of an endpoint; null if there are none. Only people call one that writes: an agency
 * that took an empty body after all would be sent hundreds a day.
 */
export function probedEvery(
  { config }: Call,
  { agencyKind, method }: Pick<AgencyEndpoint, 'agencyKind' | 'method'>,
): number | null {
  const connected = Object.hasOwn(config.connections.agencies, agencyKind);
  return connected && method === 'GET' && config.probeSeconds > 0 ? config.probeSeconds : null;
}

/** Probes some of the endpoints whose turn it is; how many those were. */
export async function probeDue(call: Call): Promise<number> {
  const endpoints = await claimDue(call);
  // If one fails, the others are still waited for: the process does not stop in their midst.
  const probed = await Promise.allSettled(endpoints.map(({ id }) => recordProbe(call, id)));
  for (const one of probed) if (one.status === 'rejected') throw one.reason;
  return endpoints.length;
}

/**
 * Takes endpoints in hand whose turn it is. Nothing has to be given back: where the process dies, their next turn comes
 * as it would have. By the database's clock, since processes take turns by it.
 */
function claimDue({ db, config }: Call): Promise<{ id: string }[]> {
  const seconds = config.probeSeconds;
  const kinds = Object.keys(config.connections.agencies);
  return db.rows<{ id: string }>(sql`
    with due as (
      select id from agency_endpoint where method = 'GET' and agency_kind = any(${kinds})
        and (probe_claimed_at is null or ${isOver(sql`probe_claimed_at + make_interval(secs => ${seconds})`, sql`now()`, seconds)})
      order by probe_claimed_at nulls first, id limit ${MOST_AT_A_TIME} for no key update skip locked
    )
    update agency_endpoint e set probe_claimed_at = now() from due where e.id = due.id returning e.id`);
}
