import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Place } from '../torture/run/place.ts';
import type { Bound } from './fit.ts';
import { HUNG } from './load.ts';

/**
 * Has a process collect all of its garbage when it is told to by `SIGUSR2`, so that what its heap holds then is held by
 * something.
 */
export const COLLECTED = {
  NODE_OPTIONS: '--expose-gc --import=data:text/javascript,process.on(%22SIGUSR2%22,()=>gc())',
};
const COLLECTING_MS = 500;

/** A measure of the process. `cpu` covers the time since the sample before. */
export type Measure = 'heap' | 'descriptors' | 'connections' | 'places' | 'waiting' | 'files' | 'cpu';

interface Measured extends Bound {
  readonly what: string;
  readonly unit: string;
  /** True if its bound is relative to its mean. */
  readonly ofMean?: true;
}

/** Each measure and its allowed growth: caches fill once, and reading a growing table costs a little more. */
export const MEASURES: Readonly<Record<Measure, Measured>> = {
  heap: { what: 'heap after a full collection', unit: 'MiB', once: 20, perMinute: 0.3 },
  descriptors: { what: 'descriptors', unit: '', once: 8, perMinute: 0.1 },
  connections: { what: 'connections of PostgreSQL', unit: '', once: 4, perMinute: 0.05 },
  places: { what: 'places taken', unit: '', once: 0, perMinute: 0.02 },
  waiting: { what: 'rows that wait', unit: '', once: 50, perMinute: 1 },
  files: { what: 'files except captured mail', unit: '', once: 8, perMinute: 0.1 },
  cpu: { what: 'CPU a flow', unit: 'ms', once: 0.2, perMinute: 0.005, ofMean: true },
};

/** All that waits for work of this rail, but for what an endpoint that hangs does not take. */
const WAITING = `select (
  (select count(*) from outbox_queue) + (select count(*) from unsealed_event) + (select count(*) from alert_waiting)
  + (select count(*) from propagation where status = 'pending')
  + (select count(*) from payer_message where status = 'Queued')
  + (select count(*) from payment_intent where enquire_at <= now() - interval '1 minute')
  + (select count(*) from graphile_worker.jobs where run_at <= now())
  + (select count(*) from webhook_delivery d join webhook_endpoint e on e.name = d.endpoint
     where d.status = 'pending' and e.url not like '%${HUNG}'))::int as count`;
const CONNECTIONS = `select count(*)::int as count from pg_stat_activity where backend_type = 'client backend'`;

export type Sample = Readonly<Record<Exclude<Measure, 'cpu'>, number>> & {
  /** CPU time that the process has used so far, in milliseconds. */
  readonly cpuMs: number;
};

/** Looks at the only process of a place. */
export async function takeSample({ processes: [process], query, rail }: Place): Promise<Sample> {
  const [{ count: waiting }] = (await query<{ count: number }>(WAITING)) as [{ count: number }];
  const [{ count: connections }] = (await query<{ count: number }>(CONNECTIONS)) as [{ count: number }];
  const [descriptors, cpuMs] = [process!.openFiles(), process!.cpuMs()];
  process!.signal('SIGUSR2');
  await sleep(COLLECTING_MS);
  const text = await (await fetch(`${process!.origin}/metrics`)).text();
  const sumOf = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))].reduce(
      (sum, [, one]) => sum + Number(one),
      0,
    );
  const heap = sumOf('nodejs_heap_size_used_bytes') / 2 ** 20;
  const files = readdirSync(rail.dataDir, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !/[/\\](?:mail|sms)$/.test(entry.parentPath),
  );
  return { heap, descriptors, connections, places: sumOf('places_taken'), waiting, files: files.length, cpuMs };
}
