import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const files = globSync('{src,rest}/**/*.ts', { cwd: ROOT, exclude: ['src/generated/**'] });

/** The part of the tree that a file belongs to: a folder of `src`, `rest`, or a file at the top of `src`. */
function partOf(file: string): string {
  const [top, second, ...rest] = file.split('/');
  if (top === 'rest') return 'rest';
  return rest.length > 0 ? second! : second!.replace(/\.ts$/, '');
}

const imports = files.flatMap((file) => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/^(?:import|export)\s[^;]*?from '(\.[^']+)'|^import '(\.[^']+)'/gm)].map(([whole, from, bare]) => ({
    file,
    part: partOf(file),
    target: partOf(relative(ROOT, join(ROOT, dirname(file), (from ?? bare)!))),
    typeOnly: whole.startsWith('import type'),
  }));
});

/** Read "a: [b]" as: among the domains, a may use b. */
const DOMAINS: Readonly<Record<string, readonly string[]>> = {
  catalogue: [],
  citizens: ['catalogue'],
  assessments: ['catalogue', 'citizens'],
  propagation: ['assessments', 'catalogue'],
  payments: ['assessments', 'catalogue', 'citizens', 'propagation'],
  reconciliation: ['payments'],
  callbacks: ['payments', 'assessments'],
  keys: [],
  integrators: ['keys'],
  sessions: ['integrators', 'keys'],
  logs: [],
  staff: [],
  shifts: [],
  operations: ['integrators', 'keys'],
  notices: [],
  agencies: [],
  webhooks: ['integrators'],
  seals: [],
  oversight: ['operations', 'payments', 'seals'],
};
/** What carries the whole schema, or the whole process. */
const COMPOSERS = ['graphql/schema', 'open', 'server', 'main', 'admin', 'demo', 'address', 'jobs', 'seed'];

describe('the tree', () => {
  it('imports only in the directions that its parts allow', () => {
    const wrong = imports.filter(({ file, part, target, typeOnly }) => {
      if (part === target || target === 'generated') return false;
      if (COMPOSERS.includes(part) || file === 'src/graphql/schema.ts') return false;
      if (part === 'rest') return target in DOMAINS || ['adapters', 'database', 'jobs', 'server'].includes(target);
      if (part in DOMAINS) return target === 'rest' || (target in DOMAINS && !DOMAINS[part]!.includes(target));
      if (part === 'adapters') return !['money'].includes(target);
      if (part === 'database') return !['anomalies', 'money', 'refusal', 'call', 'text', 'time'].includes(target);
      return (target in DOMAINS || target === 'rest' || target === 'server') && !typeOnly;
    });
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  it('reads the environment in one place', () => {
    const readers = files.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('process.env'));
    // The cluster hands its environment on to PostgreSQL's programs; the commands hand theirs to config.
    expect(readers.toSorted()).toEqual(['src/admin.ts', 'src/database/cluster.ts', 'src/demo.ts', 'src/main.ts']);
  });

  it('gives each advisory lock a number of its own', () => {
    const numbers = files.flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/_LOCKS? = ([\d_]+);/g)].map(([, number]) => number!),
    );
    expect(numbers.length).toBeGreaterThan(5);
    expect(numbers.toSorted()).toEqual([...new Set(numbers)].toSorted());
  });

  it('lets only verbs and reads touch the database: no schema does', () => {
    for (const file of files.filter((name) => name.endsWith('schema.ts'))) {
      expect(readFileSync(join(ROOT, file), 'utf8'), file).not.toMatch(/database\/sql|\.db\b|\$queryRaw/);
    }
  });
});
