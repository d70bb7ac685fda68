import { Router } from 'express';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { serveFixed } from '../../platform/call/fixed.ts';

const FOLDER = new URL('assets/', import.meta.url);
/** Its address changes with its content. */
const FOREVER = 'public, max-age=31536000, immutable';

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: string;
}

/** One file of all files of a kind, in the order of their names. */
function gather(pattern: string, name: string, ending: string, type: string): Asset {
  const content = globSync(pattern, { cwd: FOLDER })
    .toSorted()
    .map((file) => readFileSync(new URL(file, FOLDER), 'utf8'))
    .join('\n');
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return { path: `/assets/${name}.${hash}.${ending}`, type, content };
}

const style = gather('*.css', 'site', 'css', 'text/css; charset=utf-8');
const script = gather('*.js', 'site', 'js', 'text/javascript; charset=utf-8');

/** Where pages find their style sheet and their script. */
export const ASSETS = { style: style.path, script: script.path } as const;

export function routeAssets(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const { path, type, content } of [style, script])
    router.get(
      path,
      serveFixed(type, () => content, FOREVER),
    );
  return router;
}
