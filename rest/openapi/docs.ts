import { Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Rail } from '../../src/platform/call/call.ts';
import { serveMade } from '../../src/platform/call/fixed.ts';
import type { Endpoint } from '../load.ts';
import { describeMessages } from './asyncapi.ts';
import { describeApi } from './openapi.ts';
import type { Fragments } from '../documents.ts';
import type { Json } from './schemas.ts';
import type { WebhookEventType } from './webhooks.ts';

/** Address of the pages that show the description. */
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

/** `/v1/openapi.json`, `/v1/asyncapi.json`, and `/v1/docs`, which leads to the pages that show both. */
export function routeDocs(
  rail: Pick<Rail, 'origin'>,
  describe: () => Json,
  events: readonly WebhookEventType[],
): Router {
  const type = 'application/json; charset=utf-8';
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/v1/openapi.json', serveMade(type, describe, JSON.stringify));
  router.get(
    '/v1/asyncapi.json',
    serveMade(
      type,
      () => rail.origin,
      (origin) => JSON.stringify(describeMessages(origin, events)),
    ),
  );
  router.get('/v1/docs', (_req, res) => res.redirect(308, REFERENCE_PAGES));
  return router;
}
