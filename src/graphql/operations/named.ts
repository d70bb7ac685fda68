import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { getOperationAST, parse } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Call } from '../../platform/call/call.ts';
import type { Database } from '../../platform/database/sql.ts';
import { findRegistered } from './registered.ts';
import { Refusal, refuseValues } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';

const FOLDER = new URL('./', import.meta.url);

const FILES = globSync('*/*.graphql', { cwd: FOLDER }).toSorted();

/** Operations that dashboards ask for by name, each in a file of that name, in a folder of what they are about. */
export const namedOperations: ReadonlyMap<string, string> = new Map(
  FILES.map((file) => [basename(file, '.graphql'), readFileSync(new URL(file, FOLDER), 'utf8')]),
);

/** Theme of each: the folder of its file. */
export const themeOf: ReadonlyMap<string, string> = new Map(
  FILES.map((file) => [basename(file, '.graphql'), dirname(file)]),
);

/** A variable of another name would be left aside: the answer would be about all that it was to leave out. */
function refuseUndeclared(operation: string, text: string, variables: string | null): void {
  let given: unknown;
  try {
    given = JSON.parse(variables ?? '{}');
  } catch {
    // The reader of the request says so.
    return;
  }
  if (typeof given !== 'object' || given === null) return;
  const declared = declaredBy(text);
  const details = Object.keys(given)
    .filter((name) => !declared.has(name))
    .map((path) => ({ path, message: say`is no variable of the operation ${operation}` }));
  if (details.length > 0) throw refuseValues(details);
}

const variablesOf = new LRUCache<string, ReadonlySet<string>>({
  maxSize: 1_024 * 1_024,
  sizeCalculation: (_declared, text) => text.length,
});

/** The variables that an operation declares. */
function declaredBy(text: string): ReadonlySet<string> {
  let declared = variablesOf.get(text);
  if (!declared) {
    const variables = getOperationAST(parse(text))?.variableDefinitions ?? [];
    variablesOf.set(text, (declared = new Set(variables.map(({ variable }) => variable.name.value))));
  }
  return declared;
}

/** The text of an operation of the rail, or of one that was registered; undefined where there is none of that name. */
export async function findOperation(db: Database, name: string): Promise<string | undefined> {
  return namedOperations.get(name) ?? (await findRegistered(db, name))?.document;
}

/** Puts the text of the operation that an address names into it; false where it names none. */
export async function nameOperation({ db }: Pick<Call, 'db'>, { searchParams }: URL): Promise<boolean> {
  const name = searchParams.get('operation');
  if (name === null) return false;
  const text = await findOperation(db, name);
  if (text === undefined)
    throw new Refusal(
      'not_found',
      `The operation does not exist; the operations of the rail are ${[...namedOperations.keys()].toSorted().join(', ')}`,
    );
  refuseUndeclared(name, text, searchParams.get('variables'));
  searchParams.delete('operation');
  searchParams.set('query', text);
  return true;
}
