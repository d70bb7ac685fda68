import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type SchemaFile, diffSchemas } from './diff-schemas.ts';
import { reasonOf } from '../../kernel/refusal.ts';

const HELP = `npm run migration:new -- name

Makes the next migration: prisma/migrations/00NN_name/migration.sql, with a draft of the SQL that brings a database from the schema in
prisma/schema as it was last committed to the schema as it is now. Read the draft, add what Prisma cannot say (checks, rows), and say in
its first line why. It is applied whole, in one transaction, at the next start. Functions, views, triggers and roles are no migrations:
edit their files in prisma/definitions.

An index of a table that grows is built without locking those who write, which no transaction may do: put it in a migration of its own
whose first line begins with "-- Outside a transaction." It is applied statement by statement, and from its beginning again where it
was broken off:

  -- Outside a transaction. Payment events are looked up by when they happened.
  create index concurrently if not exists payment_event_occurred_at_idx on payment_event (occurred_at);
`;

const SCHEMA = 'prisma/schema';
const MIGRATIONS = 'prisma/migrations';

/** The folder of the migration after those that there are: `0015_agency_contacts`. */
export function nameNextMigration(existing: readonly string[], name: string): string {
  const words = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  if (!/^[a-z][a-z0-9_]*$/.test(words)) throw new Error('Give a name of words of a-z and 0-9, such as agency_contacts');
  if (existing.some((one) => one.slice(5) === words)) throw new Error(`There is a migration ${words}`);
  const last = Math.max(0, ...existing.map((one) => Number.parseInt(one, 10)));
  return `${String(last + 1).padStart(4, '0')}_${words}`;
}

/**
 * Makes the next migration of a checkout, with a draft of its SQL; the path of its file, and the draft, which may be
 * empty.
 */
export async function makeMigration(root: string, name: string): Promise<{ path: string; draft: string }> {
  const existing = readdirSync(join(root, MIGRATIONS), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  const folder = join(MIGRATIONS, nameNextMigration(existing, name));
  const draft = await diffSchemas(readCommittedSchema(root), readPresentSchema(root));
  const path = join(folder, 'migration.sql');
  mkdirSync(join(root, folder));
  writeFileSync(join(root, path), `-- Say here why.\n${draft}`);
  return { path, draft };
}

function readPresentSchema(root: string): SchemaFile[] {
  return globSync(`${SCHEMA}/*.prisma`, { cwd: root })
    .toSorted()
    .map((path) => ({ path, content: readFileSync(join(root, path), 'utf8') }));
}

function readCommittedSchema(root: string): SchemaFile[] {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  return git('ls-tree', '--name-only', 'HEAD', `${SCHEMA}/`)
    .split('\n')
    .filter((path) => path.endsWith('.prisma'))
    .map((path) => ({ path, content: git('show', `HEAD:${path}`) }));
}

async function main(words: readonly string[]): Promise<void> {
  if (words.length === 0 || words.includes('--help')) return void process.stdout.write(HELP);
  const { path, draft } = await makeMigration(fileURLToPath(new URL('../../../', import.meta.url)), words.join('_'));
  const said = draft || 'prisma/schema says nothing new since its last commit: write the SQL by hand.\n';
  process.stdout.write(`${path}\n\n${said}`);
}

if (import.meta.main) {
  main(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exitCode = 1;
  });
}
