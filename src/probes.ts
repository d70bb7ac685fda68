import { Router, type RequestHandler } from 'express';
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { handler } from './access/requests.ts';
import type { Rail } from './call.ts';
import { migrations } from './database/migrate.ts';
import { sql } from './database/sql.ts';

/** What operators and load balancers ask of a process: whether it is alive, whether it can take requests, and its metrics. */
export function probes(rail: Rail, registry: Registry): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/healthz', (_req, res) => void res.json({ status: 'ok' }));
  router.get('/readyz', ready(rail));
  router.get(
    '/metrics',
    handler(async (_req, res) => void res.type(registry.contentType).send(await registry.metrics())),
  );
  return router;
}

/** The metrics of a process, with those of Node.js and of what it calls outside. */
export function metricsOf(rail: Rail): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  observeOutside(rail, registry);
  return registry;
}

/** Whether each aggregator and kind of agency that is connected is called at present, 1 or 0. */
function observeOutside({ channels, agencies, config }: Rail, registry: Registry): void {
  const gauge = new Gauge({
    name: 'adapter_available',
    help: 'Whether what is outside is called at present (1), or left alone after many failures (0).',
    labelNames: ['adapter'],
    registers: [],
    collect() {
      for (const { aggregator, stub, available } of Object.values(channels)) if (!stub) this.set({ adapter: aggregator }, Number(available));
      for (const kind of Object.keys(config.connections.agencies)) this.set({ adapter: kind }, Number(agencies.available(kind)));
    },
  });
  registry.registerMetric(gauge);
}

/** Ready to take requests: not about to stop, and the database answers and is at this version's schema. */
function ready(rail: Rail): RequestHandler {
  const { db, log } = rail;
  const newest = migrations().at(-1)!.name;
  return handler(async (_req, res) => {
    if (rail.draining) return void res.status(503).json({ status: 'draining' });
    try {
      const row = await db.row(sql`select 1 from _prisma_migrations where migration_name = ${newest} and finished_at is not null`);
      if (row) return void res.json({ status: 'ready' });
      res.status(503).json({ status: 'not migrated' });
    } catch (error) {
      log.warn({ err: error }, 'not ready');
      res.status(503).json({ status: 'database unreachable' });
    }
  });
}
