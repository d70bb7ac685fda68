import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';

const FOLDER = new URL('../../../../prisma/migrations/', import.meta.url);
/** The first line of a migration that is not applied in a transaction begins like this. */
const OUTSIDE = /^-- Outside a transaction[.:]/;

export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** A statement that a migration runs alone. */
interface Statement {
  readonly text: string;
  /** The index that it builds without locking writers; null of every other statement. */
  readonly index: IndexBuild | null;
}

/** An index, and what it is of: a table, and the rest of its definition. */
export interface IndexBuild {
  readonly kind: 'index' | 'unique index';
  readonly name: string;
  readonly table: string;
  readonly definition: string;
}

/** True if a migration drops things that the version before uses: it waits until an operator asks for it. */
export const isContract = (name: string): boolean => /^\d{4}_contract_/.test(name);

/** The migrations of this version, in order. */
export function listMigrations(): Migration[] {
  return readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted()
    .map((name) => makeMigration(name, readFileSync(new URL(`${name}/migration.sql`, FOLDER), 'utf8')));
}

/** A migration of its SQL. */
export function makeMigration(name: string, sql: string): Migration {
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}

/** The statements of a migration that runs outside a transaction; null of every other, which is run as a whole. */
export function listStatements({ sql }: Migration): Statement[] | null {
  if (!OUTSIDE.test(sql)) return null;
  // A semicolon ends a statement, unless it is quoted or commented.
  const parts = sql.match(/(?:'[^']*'|"[^"]*"|\$(\w*)\$[^]*?\$\1\$|--.*|\/\*[^]*?\*\/|[^;])+/g) ?? [];
  return parts
    .map((part) => part.replaceAll(/^\s*--.*$/gm, '').trim())
    .filter((text) => text !== '')
    .map((text) => ({ text, index: readIndexBuild(text) }));
}

function readIndexBuild(text: string): IndexBuild | null {
  const [, unique, name, table, definition] =
    /^create\s+(unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+([\w.]+)\s+on\s+([\w.]+)\s+([^]+)$/i.exec(text) ??
    [];
  return name && table && definition ? { kind: unique ? 'unique index' : 'index', name, table, definition } : null;
}
