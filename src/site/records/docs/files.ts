import { existsSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../../../../docs/', import.meta.url);

/** The pages of the documentation, by whom they are for, each a file, by its path from `docs/`. */
export const FILES = {
  'first-payment': '../README.md',
  integrators: 'lessons/integrators.md',
  'integrators-reference': 'integrators.md',
  client: '../clients/typescript/README.md',
  agencies: 'agencies.md',
  counter: 'counter.md',
  tariffs: 'tariffs.md',
  refunds: 'refunds.md',
  analysts: 'analysts.md',
  operators: 'operators.md',
  runbook: 'runbook.md',
  growing: 'growing.md',
  performance: 'performance.md',
  architecture: 'architecture.md',
  glossary: 'glossary.md',
  security: '../SECURITY.md',
} as const;

export type GuideName = keyof typeof FILES;

/** Their names, in their order. */
export const GUIDES = Object.keys(FILES) as readonly GuideName[];

export const isGuide = (name: unknown): name is GuideName => typeof name === 'string' && Object.hasOwn(FILES, name);

/** A file of the documentation. */
export const readGuide = (file: string): string => readFileSync(new URL(file, FOLDER), 'utf8');

/** Address of a page's link: another page, elsewhere, or, for a file that is only in the repository, none. */
export function addressOf(href: string): string | null {
  if (/^(https?:\/\/|#)/.test(href)) return href;
  const [, folder, file, anchor = ''] = /^(?:\.\.\/)*(?:docs\/)?((?:[a-z]+\/)*)([\w-]+\.md)(#.*)?$/.exec(href) ?? [];
  if (file === 'README.md' && anchor === '#a-first-payment') return '/docs/first-payment';
  if (file === 'SECURITY.md') return `/docs/security${anchor}`;
  const guide = GUIDES.find((name) => [`${folder}${file}`, href].includes(FILES[name]));
  if (guide) return `/docs/${guide}${anchor}`;
  const task = file?.replace('.md', '');
  return task !== undefined && isTaskFile(task) ? `/docs/tasks/${task}${anchor}` : null;
}

/** True if there is a task of a name: a file next to the one that links to it. */
const isTaskFile = (name: string): boolean => existsSync(new URL(`tasks/en/${name}.md`, FOLDER));
