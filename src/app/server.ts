import express, { type Express, type RequestHandler, type Router } from 'express';
import helmet from 'helmet';
import type { Registry } from 'prom-client';
import { CROSS_ORIGIN_PATHS, answerPreflights } from '../platform/call/cross-origin.ts';
import { Requests, identify } from '../platform/call/requests.ts';
import type { Rail } from '../platform/call/call.ts';
import { graphqlEndpoint } from '../graphql/endpoint/endpoint.ts';
import { GraphiqlPage } from '../graphql/endpoint/graphiql/page.ts';
import { graphqlReference } from '../graphql/endpoint/reference.ts';
import { schema } from './schema.ts';
import { openSite } from '../site/site.ts';
import type { Description } from '../site/records/reference/description.ts';
import { isTracing } from '../adapters/tracing/tracing.ts';
import { traceRequests } from './traces.ts';
import { answerLiveness, metricsOf, routeProbes, routePublicProbes } from './probes.ts';
import { eventCatalogue } from '../accounts/events/event-types.ts';
import { describerOf, routeDocs } from '../../rest/openapi/docs.ts';
import { routeWellKnown } from '../../rest/openapi/well-known.ts';
import { DEPRECATIONS, deprecate } from '../../rest/openapi/deprecations.ts';
import { loadEndpoints } from '../../rest/load.ts';
import { decodeColons, answerLastResort, publishEndpoints } from '../../rest/router.ts';

/** Nothing is taken for another type than the one that it is sent as. */
const asDeclared: RequestHandler = (_req, res, next) => {
  res.setHeader('X-Content-Type-Options', 'nosniff');
  next();
};

/** Server on a port of its own, for operators alone. */
export function buildOpsServer(rail: Rail, registry: Registry): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(identify, asDeclared, routeProbes(rail, registry));
  app.use((_req, res) => void res.status(404).json({ status: 'not found' }));
  return app;
}

/** The probes of the public port: all in a sandbox without a port for operators, and no metrics on a live rail. */
function probesOf(rail: Rail, registry: Registry): Router {
  if (rail.config.opsPort !== null) return answerLiveness();
  if (rail.config.mode === 'sandbox') return routeProbes(rail, registry);
  rail.log.warn(
    'OPS_PORT is not set: nobody can read the metrics, which the public port would show to strangers; in a crowd, /readyz waits there with all other requests',
  );
  return routePublicProbes(rail);
}

/** The HTTP side of the rail: probes, GraphQL, the REST API over it, and its documentation. */
export function buildServer(rail: Rail, registry = metricsOf(rail), deprecations = DEPRECATIONS): Express {
  const requests = new Requests(rail, registry);
  const { endpoints: all, fragments } = loadEndpoints(schema);
  const endpoints = deprecate(all, deprecations);

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', rail.config.trustProxy);
  const rest = publishEndpoints(endpoints, requests);
  app.use(identify, asDeclared, decodeColons);
  if (isTracing()) app.use(traceRequests);
  app.options(CROSS_ORIGIN_PATHS, answerPreflights(rail));
  app.use(rest.direct);
  app.use('/graphql', helmet());
  // Before all that waits its turn: a probe is answered however many requests there are.
  app.use(probesOf(rail, registry));
  const graphiql = rail.config.introspection ? new GraphiqlPage() : null;
  app.all('/graphql', graphqlEndpoint(schema, rail, requests, graphiql));
  if (graphiql) app.use(graphiql.assets);
  app.use(graphqlReference(schema));
  const describe = describerOf(rail, schema, endpoints, fragments, eventCatalogue);
  const site = openSite(schema, requests, rail.config.mode, () => describe() as unknown as Description);
  app.use(site.router);
  app.use(routeDocs(rail, describe, eventCatalogue), routeWellKnown(rail));
  app.use(site.missing);
  app.use(rest.router);
  app.use(site.unreadable);
  app.use(answerLastResort(requests));
  return app;
}
