import { type RequestHandler, Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Rail } from '../../src/platform/call/call.ts';
import { serveFixed } from '../../src/platform/call/fixed.ts';
import type { Endpoint } from '../load.ts';
import { describeApi } from './openapi.ts';
import type { Fragments } from '../documents.ts';
import type { Json } from './schemas.ts';
import type { WebhookEventType } from './webhooks.ts';

/** Where pages show the description. */
const REFERENCE_PAGES = '/docs/api';

/** Says what the API is, made again where the rail is reached at another address: that is known once it listens. */
export function describerOf(
  rail: Pick<Rail, 'origin' | 'config'>,
  schema: GraphQLSchema,
  endpoints: readonly Endpoint[],
  fragments: Fragments,
  events: readonly WebhookEventType[],
): () => Json {
  let described: { readonly origin: string; readonly description: Json } | null = null;
  return () => {
    const { origin, config } = rail;
    if (described?.origin !== origin) {
      const about = { origin, events, callbackHeaders: config.callbackHeaders };
      described = { origin, description: describeApi(schema, endpoints, fragments, about) };
    }
    return described.description;
  };
}

/** `/v1/openapi.json`, and `/v1/docs`, which leads to the pages that show it. */
export function routeDocs(describe: () => Json): Router {
  let served: { readonly description: Json; readonly answer: RequestHandler } | null = null;
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/v1/openapi.json', (req, res, next) => {
    const description = describe();
    if (served?.description !== description)
      served = {
        description,
        answer: serveFixed('application/json; charset=utf-8', () => JSON.stringify(description)),
      };
    return served.answer(req, res, next);
  });
  router.get('/v1/docs', (_req, res) => res.redirect(308, REFERENCE_PAGES));
  return router;
}
