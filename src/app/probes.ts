import { Router, type RequestHandler } from 'express';
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { observeBacklog } from './metrics/backlog.ts';
import { observePayments } from './metrics/payments.ts';
import { observePools } from './metrics/pools.ts';
import { toHandler } from '../platform/call/requests.ts';
import type { Rail } from '../platform/call/call.ts';
import { ADMIN } from '../platform/config/started-by.ts';
import type { Health } from '../platform/database/health.ts';

/** Answers operators and load balancers: the process is alive, it can take requests, and its metrics. */
export function routeProbes(rail: Rail, registry: Registry): Router {
  const router = routePublicProbes(rail);
  router.get(
    '/metrics',
    toHandler(async (_req, res) => void res.type(registry.contentType).send(await registry.metrics())),
  );
  return router;
}

/** Answers on the public port of a live rail without a port for operators: no metrics, which tell strangers. */
export function routePublicProbes(rail: Rail): Router {
  const router = answerLiveness();
  router.get('/readyz', checkReadiness(rail));
  return router;
}

/** Answers on the public port if operators have one of their own: the process is alive. */
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
  observeFacts(rail, registry);
  observeBacklog(rail, registry);
  observePayments(rail, registry);
  observePools(rail, registry);
  observeSlots(rail, registry);
  registry.registerMetric(rail.callDurations);
  return registry;
}

/** Reports for each connected aggregator and agency if it is called at present, 1 or 0. */
function observeOutside({ aggregators, agencies, config }: Rail, registry: Registry): void {
  const gauge = new Gauge({
    name: 'adapter_available',
    help: '1 if the outside service is called at present, 0 if it is left alone after many failures.',
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

/** Reports the slots taken by requests that go on for long. */
function observeSlots({ slots }: Rail, registry: Registry): void {
  const gauge = new Gauge({
    name: 'places_taken',
    help: 'Streams, requests that wait for events (polls), exports, readings of the archive and requests for figures under way, by kind.',
    labelNames: ['kind'],
    registers: [],
    collect() {
      for (const [kind, { taken }] of Object.entries(slots)) this.set({ kind }, taken);
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

/** Reports how far the copy for figures is behind the feed of changes; nothing if the process has no copy. */
function observeFacts({ analytics, config, now }: Rail, registry: Registry): void {
  if (!config.analytics) return;
  const openedAt = now();
  const gauge = new Gauge({
    name: 'facts_behind_seconds',
    help: "Lag of this process's copy of facts behind the database; since its start where it has none yet.",
    registers: [],
    collect() {
      this.set(Math.max(0, (now().getTime() - (analytics.keptAsOf ?? openedAt).getTime()) / 1_000));
    },
  });
  registry.registerMetric(gauge);
}

/**
 * Ready to take requests: not about to stop, and the database answers, is at this version's schema, and takes writes.
 */
function checkReadiness(rail: Rail): RequestHandler {
  return toHandler(async (_req, res) => {
    if (rail.draining) return void res.status(503).json({ status: 'draining', ...REMEDIES.draining });
    const status = await rail.health.check();
    if (status === 'ready') return void res.json({ status, ...clockOf(rail) });
    const why = { status, ...REMEDIES[status], ...(rail.health.code !== null && { code: rail.health.code }) };
    rail.log.warn(why, 'not ready');
    res.status(503).json({ ...why, ...clockOf(rail) });
  });
}

/** Reasons why a process is not ready, and their remedies. */
const REMEDIES = {
  draining: {
    reason: 'The process was asked to stop, and finishes the requests under way.',
    action: 'Send requests to another process. This one ends within seconds.',
  },
  'not migrated': {
    reason: 'The database lacks a migration of this version.',
    action: `Run ${ADMIN} migrate with the role that owns the database, or start a rail with MIGRATE=on.`,
  },
  'database unreachable': {
    reason: 'The database did not answer in time, refused the connection, or could not commit.',
    action:
      'Check that PostgreSQL runs, has free connections, and answers at DATABASE_URL from this machine; and that a synchronous standby, if there is one, answers. The process recovers automatically.',
  },
  'database read-only': {
    reason: 'The database takes no writes: it is a standby, or its transactions are read-only.',
    action:
      'Finish the failover, or let DATABASE_URL name the server that takes writes. The process recovers automatically.',
  },
  'database full': {
    reason: 'A write failed because the disk of the database has no room.',
    action: 'Give the database more room. Delete no files of PostgreSQL. The process recovers automatically.',
  },
} as const satisfies Record<Exclude<Health, 'ready'> | 'draining', { reason: string; action: string }>;

/**
 * Difference of this machine's clock from the database's. A large one is no reason to send requests elsewhere, as the
 * rail does not go by it.
 */
function clockOf({ clock }: Rail): { clock_offset_ms: number; warnings?: string[] } {
  const warnings = ["This machine's clock is more than 2 s away from the database's"];
  return { clock_offset_ms: clock.offsetMs, ...(clock.isApart && { warnings }) };
}
