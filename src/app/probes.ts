import { Router, type RequestHandler } from 'express';
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { observeBacklog } from './backlog.ts';
import { toHandler } from '../platform/call/requests.ts';
import type { Rail } from '../platform/call/call.ts';

/**
 * What operators and load balancers ask of a process: whether it is alive, whether it can take requests, and its
 * metrics.
 */
export function routeProbes(rail: Rail, registry: Registry): Router {
  const router = routePublicProbes(rail);
  router.get(
    '/metrics',
    toHandler(async (_req, res) => void res.type(registry.contentType).send(await registry.metrics())),
  );
  return router;
}

/** What is on the public port of a live rail where operators have none of their own: no metrics, which tell strangers. */
export function routePublicProbes(rail: Rail): Router {
  const router = answerLiveness();
  router.get('/readyz', checkReadiness(rail));
  return router;
}

/** What is left on the public port where operators have one of their own: that the process is alive. */
export function answerLiveness(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/healthz', (_req, res) => void res.json({ status: 'ok' }));
  return router;
}

/** The metrics of a process, with those of Node.js and of what it calls outside. */
export function metricsOf(rail: Rail): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  observeOutside(rail, registry);
  observeClock(rail, registry);
  observeBacklog(rail, registry);
  registry.registerMetric(rail.callDurations);
  return registry;
}

/** Whether each aggregator and agency that is connected is called at present, 1 or 0. */
function observeOutside({ aggregators, agencies, config }: Rail, registry: Registry): void {
  const gauge = new Gauge({
    name: 'adapter_available',
    help: 'Whether what is outside is called at present (1), or left alone after many failures (0).',
    labelNames: ['adapter'],
    registers: [],
    collect() {
      for (const { name, adapter } of aggregators.values())
        if (!adapter.stub) this.set({ adapter: name }, Number(adapter.available));
      for (const name of Object.keys(config.connections.agencies))
        this.set({ adapter: name }, Number(agencies.available(name)));
    },
  });
  registry.registerMetric(gauge);
}

/** By how much this machine's clock is ahead of the database's. */
function observeClock({ clock }: Rail, registry: Registry): void {
  const gauge = new Gauge({
    name: 'clock_offset_seconds',
    help: "By how much the clock of this machine is ahead of the database's, which the rail goes by.",
    registers: [],
    collect() {
      this.set(clock.offsetMs / 1_000);
    },
  });
  registry.registerMetric(gauge);
}

/**
 * Ready to take requests: not about to stop, and the database answers, is at this version's schema, and takes writes.
 */
function checkReadiness(rail: Rail): RequestHandler {
  return toHandler(async (_req, res) => {
    if (rail.draining) return void res.status(503).json({ status: 'draining' });
    const status = await rail.health.check();
    if (status !== 'ready') rail.log.warn({ status }, 'not ready');
    res.status(status === 'ready' ? 200 : 503).json({ status, ...clockOf(rail) });
  });
}

/**
 * How far this machine's clock is from the database's. That it is far is no reason to send requests elsewhere, as the
 * rail does not go by it.
 */
function clockOf({ clock }: Rail): { clock_offset_ms: number; warnings?: string[] } {
  const warnings = ["This machine's clock is more than 2 s away from the database's"];
  return { clock_offset_ms: clock.offsetMs, ...(clock.isApart && { warnings }) };
}
