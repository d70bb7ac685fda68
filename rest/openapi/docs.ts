import { type RequestHandler, Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Rail } from '../../src/platform/call/call.ts';
import { serveFixed } from '../../src/platform/call/fixed.ts';
import type { Endpoint } from '../load.ts';
import { describeApi } from './openapi.ts';
import type { Fragments } from '../documents.ts';
import type { WebhookEventType } from './webhooks.ts';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Revenue Rail: API reference</title>
    <link rel="icon" href="docs/favicon-32x32.png" />
    <link rel="stylesheet" href="docs/swagger-ui.css" />
  </head>
  <body>
    <main id="reference"></main>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
    <script src="../assets/notices.js"></script>
  </body>
</html>
`;

const START = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null, tryItOutEnabled: true });
`;

/** Everything from this host, and nothing from any other. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'";

/** Of Swagger UI's package, what the page uses and nothing else. */
const ASSETS = [
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
] as const;

/** `/v1/openapi.json`, and `/v1/docs`, a page that renders it. */
export function routeDocs(
  rail: Pick<Rail, 'origin' | 'config'>,
  schema: GraphQLSchema,
  endpoints: readonly Endpoint[],
  fragments: Fragments,
  events: readonly WebhookEventType[],
): Router {
  // Made when it is first asked for: where the rail is reached is known once it listens.
  let described: { readonly origin: string; readonly answer: RequestHandler } | null = null;
  const serveDescription: RequestHandler = (req, res, next) => {
    const { origin, config } = rail;
    if (described?.origin !== origin) {
      const about = { origin, events, callbackHeaders: config.callbackHeaders };
      described = {
        origin,
        answer: serveFixed('application/json; charset=utf-8', () =>
          JSON.stringify(describeApi(schema, endpoints, fragments, about)),
        ),
      };
    }
    return described.answer(req, res, next);
  };
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/v1/openapi.json', serveDescription);
  router.get(
    '/v1/docs',
    secured,
    serveFixed('text/html; charset=utf-8', () => PAGE),
  );
  router.get(
    '/v1/docs/start.js',
    serveFixed('text/javascript; charset=utf-8', () => START),
  );
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const [asset, type] of ASSETS)
    router.get(
      `/v1/docs/${asset}`,
      serveFixed(type, () => readFileSync(join(folder, asset))),
    );
  return router;
}

const secured: RequestHandler = (_req, res, next) => {
  res.setHeader('Content-Security-Policy', POLICY);
  next();
};
