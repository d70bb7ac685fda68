import { Gauge, type Registry } from 'prom-client';
import { sendable } from '../../accounts/endpoints/matching.ts';
import { type OpenAnomalies, countOpenAnomalies } from '../../collection/anomalies/find.ts';
import type { Rail } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { MOST_COUNTED } from '../../platform/reading/page.ts';
import { readNowAndThen } from './now-and-then.ts';

/** Work that waits for the background. */
interface Waiting {
  readonly queue: string;
  readonly many: number;
  /** For how long the oldest of it has waited; 0 where nothing does. */
  readonly seconds: number;
}

interface Backlog {
  readonly anomalies: OpenAnomalies;
  readonly queues: readonly Waiting[];
}

/** Registers what waits: anomalies for somebody, and all else for background work. It is the same from each process. */
export function observeBacklog(rail: Rail, registry: Registry): void {
  const recent = readNowAndThen(rail, registry, 'backlog', readBacklog);
  registry.registerMetric(
    new Gauge({
      name: 'open_anomalies',
      help: 'Anomalies that are open and not snoozed.',
      labelNames: ['severity'],
      registers: [],
      async collect() {
        const backlog = await recent();
        this.reset();
        for (const [severity, many] of Object.entries(backlog?.anomalies ?? {})) this.set({ severity }, many);
      },
    }),
  );
  const gauge = (name: string, help: string, valueOf: (one: Waiting) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers: [],
      async collect() {
        const backlog = await recent();
        this.reset();
        for (const one of backlog?.queues ?? []) this.set({ queue: one.queue }, valueOf(one));
      },
    });
  registry.registerMetric(
    gauge('backlog_size', `Items awaiting background work, counted up to ${MOST_COUNTED + 1}.`, ({ many }) => many),
  );
  registry.registerMetric(
    gauge('backlog_oldest_seconds', 'Age of the oldest of these items.', ({ seconds }) => seconds),
  );
}

async function readBacklog({ background: { db }, now }: Rail): Promise<Backlog> {
  const at = now();
  const most = sql`limit ${MOST_COUNTED + 1}`;
  const [anomalies, queues] = await Promise.all([
    countOpenAnomalies({ db, now }),
    // Each by an index that has what waits alone.
    db.rows<Waiting>(sql`
      select queue, many, greatest(coalesce(extract(epoch from ${at}::timestamptz - oldest), 0), 0)::double precision as seconds
      from (
        select 'messages' as queue, count(*)::int as many, min(created_at) as oldest
        from (select created_at from outbox_queue order by created_at ${most}) q
        union all
        select 'deliveries', count(*)::int, min(created_at) from (
          select d.created_at from ${sendable} e cross join lateral (
            select delivery from webhook_queue where endpoint = e.name order by next_attempt_at ${most}
          ) w join webhook_delivery d on d.name = w.delivery ${most}) q
        union all
        select 'propagations', count(*)::int, min(created_at)
        from (select created_at from propagation where status = 'pending' order by next_attempt_at ${most}) q
        union all
        select 'payer_messages', count(*)::int, min(created_at)
        from (select created_at from payer_message where status = 'Queued' order by due_at ${most}) q
        union all
        select 'enquiries', count(*)::int, min(enquire_at) from (
          select enquire_at from payment_intent
          where channel = any(enum_range(null::channel)) and enquire_at <= ${at} ${most}) q
        union all
        select 'seals', (select count(*)::int from (select from unsealed_event ${most}) q), (
          select min(e.created_at) from mda m cross join lateral (
            select event from unsealed_event where mda = m.name order by id limit 1
          ) u join payment_event e on e.name = u.event)
      ) queues`),
  ]);
  return { anomalies, queues };
}
