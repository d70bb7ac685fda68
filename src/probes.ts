import { Router, type RequestHandler } from 'express';
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { handler } from './access/requests.ts';
import type { Rail } from './call.ts';

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

/** Ready to take requests: not about to stop, and the database answers, is at this version's schema, and takes writes. */
function ready(rail: Rail): RequestHandler {
  return handler(async (_req, res) => {
    if (rail.draining) return void res.status(503).json({ status: 'draining' });
    const status = await rail.health.check();
    if (status !== 'ready') rail.log.warn({ status }, 'not ready');
    res.status(status === 'ready' ? 200 : 503).json({ status });
  });
}
