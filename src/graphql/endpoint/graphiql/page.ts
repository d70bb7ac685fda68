import { type RequestHandler, Router } from 'express';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveFixed } from '../../../platform/call/fixed.ts';

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** GraphiQL as its makers built it, what it is built on, and what opens it; in the order in which they are loaded. */
const FILES = [
  fileOf('../../../generated/graphiql/graphiql.min.css'),
  fileOf('page.css'),
  ...['react.production', 'react-dom.production', 'graphql-sse', 'graphiql'].map((name) =>
    fileOf(`../../../generated/graphiql/${name}.min.js`),
  ),
  fileOf('start.js'),
];

/** A name is that of one content: clients that have it never ask again. */
const FOR_GOOD = 'public, max-age=31536000, immutable';

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };

/** Everything from this host. GraphiQL sets styles in its elements. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

interface Asset {
  readonly path: string;
  readonly serve: RequestHandler;
}

/** Reads and names a file of the page. */
function readAsset(file: string): Asset {
  const content = readFileSync(file);
  const type = extname(file).slice(1) as keyof typeof TYPES;
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return {
    path: `/graphql/assets/${basename(file, `.${type}`)}.${hash}.${type}`,
    serve: serveFixed(TYPES[type], () => content, FOR_GOOD),
  };
}

/**
 * GraphiQL: a page, and the files that it loads, which a browser keeps. They are read when the page is first asked for.
 */
export class GraphiqlPage {
  #assets: readonly Asset[] | null = null;

  /** The page, which names the files. */
  readonly render = (): string => {
    const paths = this.#read().map(({ path }) => path);
    const styles = paths
      .filter((path) => path.endsWith('.css'))
      .map((path) => `<link rel="stylesheet" href="${path}" />`);
    const scripts = paths.filter((path) => path.endsWith('.js')).map((path) => `<script defer src="${path}"></script>`);
    return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Revenue Rail: GraphiQL</title>
    <link rel="icon" href="data:," />
    ${[...styles, ...scripts].join('\n    ')}
  </head>
  <body>
    <header>
      <h1><a href="/">Revenue Rail</a></h1>
      <nav aria-label="Documentation"><a href="/docs">Documentation</a> <a href="/docs/api">API reference</a></nav>
      <form method="get" action="/docs/search" role="search">
        <label for="search">Search</label>
        <input id="search" name="q" type="search" required />
        <button type="submit">Find</button>
      </form>
      <p id="who" role="status"></p>
      <label for="question">Question</label>
      <select id="question"><option value="">A first look</option></select>
      <label for="key">API key</label>
      <input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="rail_… (kept in this tab)" />
    </header>
    <div id="graphiql"></div>
  </body>
</html>
`;
  };

  /** The files. */
  readonly assets: Router = Router({ caseSensitive: true, strict: true }).get(
    '/graphql/assets/:name',
    (req, res, next) => {
      const found = this.#read().find(({ path }) => path === req.path);
      return found ? found.serve(req, res, next) : next();
    },
  );

  #read(): readonly Asset[] {
    return (this.#assets ??= FILES.map(readAsset));
  }
}
