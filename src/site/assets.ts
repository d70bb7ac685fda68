import { Router } from 'express';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { serveFixed } from '../platform/call/fixed.ts';

const FOLDER = new URL('assets/', import.meta.url);
/** Its address changes with its content. */
const FOREVER = 'public, max-age=31536000, immutable';

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: string | Buffer;
}

/** Imports among the files of a script: they are one file. */
const AMONG_THEMSELVES = /^import .* from '\.\/.*';\n/gm;

/** Comments that have lines of their own, and indentation: for readers of the source alone. */
const FOR_READERS = /^\s*\/\/.*\n|^\s*\/\*[^]*?\*\/\n|^\s+/gm;

/** One file of all files of a kind, in the order of their names. */
function gather(pattern: string, name: string, ending: string, type: string): Asset {
  const content = globSync(pattern, { cwd: FOLDER })
    .toSorted()
    .map((file) =>
      readFileSync(new URL(file, FOLDER), 'utf8').replaceAll(AMONG_THEMSELVES, '').replaceAll(FOR_READERS, ''),
    )
    .join('\n');
  return addressOf(name, ending, type, content);
}

function addressOf(name: string, ending: string, type: string, content: string | Buffer): Asset {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return { path: `/assets/${name}.${hash}.${ending}`, type, content };
}

const style = gather('**/*.css', 'site', 'css', 'text/css; charset=utf-8');
const script = gather('*.js', 'site', 'js', SCRIPT_TYPE);
const icon = gather('*.svg', 'icon', 'svg', 'image/svg+xml');
/** Script of charts, as `npm run charts:bundle` has written it. */
const charts = addressOf(
  'charts',
  'js',
  SCRIPT_TYPE,
  readFileSync(new URL('../generated/charts.js', import.meta.url), 'utf8'),
);

/** Scripts of single pages, each a folder of files: `verify/*.js`. */
const ofPages = new Map(
  [...new Set(globSync('*/*.js', { cwd: FOLDER }).map((file) => dirname(file)))]
    .toSorted()
    .map((name) => [name, gather(`${name}/*.js`, name, 'js', SCRIPT_TYPE)] as const),
);

/** Worker that keeps the page that verifies receipts, so that it works without a network. */
const worker = gather('receipt/worker/*.js', 'worker', 'js', SCRIPT_TYPE);

const PICTURES = new URL('../../docs/tasks/pictures/', import.meta.url);

/** The pictures of the documentation, by the names of their files. */
const pictures = new Map(
  globSync('*.webp', { cwd: PICTURES }).map((file) => {
    const content = readFileSync(new URL(file, PICTURES));
    return [file, addressOf(file.replace('.webp', ''), 'webp', 'image/webp', content)] as const;
  }),
);

/** Addresses of the style sheet and the script of pages, and of some pages' own scripts. */
export const ASSETS = {
  style: style.path,
  script: script.path,
  charts: charts.path,
  icon: icon.path,
  scriptOf(name: string): string {
    const own = ofPages.get(name);
    if (!own) throw new Error(`There is no script assets/${name}/`);
    return own.path;
  },
  /** Address of a picture of the documentation; null if there is none of that name. */
  pictureOf: (file: string): string | null => pictures.get(file)?.path ?? null,
} as const;

/** Answers for each asset: made and compressed once, however many servers a process has. */
const served = new Map([
  ...[style, script, icon, ...ofPages.values(), ...pictures.values()].map(
    ({ path, type, content }) => [path, serveFixed(type, () => content, FOREVER)] as const,
  ),
  [charts.path, serveFixed(SCRIPT_TYPE, () => charts.content, FOREVER, true)],
  // At an address above the page that it works for, as browsers demand, and the same for good.
  ['/verify-worker.js', serveFixed(SCRIPT_TYPE, () => worker.content)],
]);

export function routeAssets(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, serve] of served) router.get(path, serve);
  return router;
}
