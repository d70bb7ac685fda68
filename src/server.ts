import express, { type Express } from 'express';
import helmet from 'helmet';
import { Requests, identify } from './access/requests.ts';
import type { Rail } from './call.ts';
import { graphqlEndpoint } from './graphql/endpoint.ts';
import { schema } from './graphql/schema.ts';
import { pages } from './pages/pages.ts';
import { metricsOf, probes } from './probes.ts';
import { docsPages } from '../rest/docs.ts';
import { loadEndpoints } from '../rest/load.ts';
import { decodeColons, lastResort, restRouter } from '../rest/router.ts';

/** The HTTP side of the rail: probes, GraphQL, the REST API over it, and its documentation. */
export function buildServer(rail: Rail): Express {
  const registry = metricsOf(rail);
  const requests = new Requests(rail, registry);
  const { endpoints, fragments } = loadEndpoints(schema);

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', rail.config.trustProxy);
  app.use(identify, decodeColons);
  app.use(['/graphql', '/v1/docs'], helmet());
  app.use(probes(rail, registry));
  app.all('/graphql', graphqlEndpoint(schema, rail, requests));
  app.use(pages(schema, requests));
  app.use(docsPages(schema, endpoints, fragments));
  app.use(restRouter(schema, endpoints, requests));
  app.use(lastResort(requests));
  return app;
}
