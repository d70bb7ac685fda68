import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Text between fences of a page. */
export interface Block {
  /** By which its comment, `<!-- tested: name -->`, says that it is run; null without one. */
  readonly tested: string | null;
  readonly language: string;
  readonly text: string;
}

/** A page of the documentation. */
export interface Page {
  /** Its path in the repository. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

const BLOCK = /(?:<!-- tested: ([\w-]+) -->\n)?```(\w*)\n([\s\S]*?)```/g;

/** Every page of the documentation. */
export const PAGES: readonly Page[] = globSync('{*.md,docs/**/*.md,clients/*/README.md}', { cwd: ROOT }).map((path) => {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const blocks = [...text.matchAll(BLOCK)].map(([, tested, language, inside]) => ({
    tested: tested ?? null,
    language: language!,
    text: inside!,
  }));
  return { path, text, blocks };
});

/** A page by its path. */
export function pageAt(path: string): Page {
  const page = PAGES.find((one) => one.path === path);
  if (!page) throw new Error(`There is no page ${path}`);
  return page;
}
