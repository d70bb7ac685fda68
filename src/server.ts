import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { Requests, handler, identify } from './access/requests.ts';
import type { Rail } from './call.ts';
import { migrations } from './database/migrate.ts';
import { sql } from './database/sql.ts';
import { graphqlEndpoint } from './graphql/endpoint.ts';
import { schema } from './graphql/schema.ts';
import { pages } from './pages/pages.ts';
import { docsPages } from '../rest/docs.ts';
import { loadEndpoints } from '../rest/load.ts';
import { decodeColons, lastResort, restRouter } from '../rest/router.ts';

/** The HTTP side of the rail: probes, GraphQL, the REST API over it, and its documentation. */
export function buildServer(rail: Rail): Express {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  observeOutside(rail, registry);
  const requests = new Requests(rail, registry);
  const { endpoints, fragments } = loadEndpoints(schema);

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', rail.config.trustProxy);
  app.use((_req, res, next) => {
    // While the process stops, a client that keeps its connection must not send the next request here.
    if (app.get('draining') === true) res.setHeader('Connection', 'close');
    next();
  });
  app.use(identify, decodeColons);
  app.use(['/graphql', '/v1/docs'], helmet());
  app.get('/healthz', (_req, res) => void res.json({ status: 'ok' }));
  app.get('/readyz', ready(rail));
  app.get(
    '/metrics',
    handler(async (_req, res) => void res.type(registry.contentType).send(await registry.metrics())),
  );
  app.all('/graphql', graphqlEndpoint(schema, rail, requests));
  app.use(pages(schema, requests));
  app.use(docsPages(schema, endpoints, fragments));
  app.use(restRouter(schema, endpoints, requests));
  app.use(lastResort(requests));
  return app;
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

/** Ready to take requests: the database answers, and is at this version's schema. */
function ready({ db, log }: Rail): RequestHandler {
  const newest = migrations().at(-1)!.name;
  return handler(async (_req, res) => {
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
