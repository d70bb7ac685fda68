import express, { type RequestHandler, Router } from 'express';
import type { FragmentDefinitionNode, GraphQLSchema } from 'graphql';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { Endpoint } from './load.ts';
import { openApi } from './openapi.ts';

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
  </body>
</html>
`;

const START = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null, tryItOutEnabled: true });
`;

/** Everything from this host, and nothing from any other. */
const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'";

/** `/v1/openapi.json`, and `/v1/docs`, a page that renders it. */
export function docsPages(schema: GraphQLSchema, endpoints: readonly Endpoint[], fragments: ReadonlyMap<string, FragmentDefinitionNode>): Router {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  const description = JSON.stringify(openApi(schema, endpoints, fragments, version));
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/v1/openapi.json', fixed('application/json; charset=utf-8', description));
  router.get('/v1/docs', secured, fixed('text/html; charset=utf-8', PAGE));
  router.get('/v1/docs/start.js', fixed('text/javascript; charset=utf-8', START));
  const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  router.use('/v1/docs', express.static(assets, { index: false, fallthrough: true, maxAge: '1h' }));
  return router;
}

const secured: RequestHandler = (_req, res, next) => {
  res.setHeader('Content-Security-Policy', POLICY);
  next();
};

/** Content that stays the same while the process runs. */
function fixed(type: string, content: string): RequestHandler {
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
  return (req, res) => {
    res.set({ 'Content-Type': type, ETag: etag, 'Cache-Control': 'public, max-age=300' });
    if (req.headers['if-none-match'] === etag) return void res.status(304).end();
    res.end(content);
  };
}
