import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { getOperationAST, parse } from 'graphql';
import { Refusal, refuseValues } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';

const FOLDER = new URL('./', import.meta.url);

const FILES = globSync('*/*.graphql', { cwd: FOLDER }).toSorted();

/** Operations that dashboards ask for by name, each in a file of that name, in a folder of what they are about. */
export const namedOperations: ReadonlyMap<string, string> = new Map(
  FILES.map((file) => [basename(file, '.graphql'), readFileSync(new URL(file, FOLDER), 'utf8')]),
);

/** What each is about: the folder of its file. */
export const themeOf: ReadonlyMap<string, string> = new Map(
  FILES.map((file) => [basename(file, '.graphql'), dirname(file)]),
);

/** The variables that an operation declares. */
const variablesOf = new Map(
  [...namedOperations].map(([name, text]) => {
    const operation = getOperationAST(parse(text));
    return [name, new Set(operation?.variableDefinitions?.map(({ variable }) => variable.name.value))];
  }),
);

/** A variable of another name would be left aside: the answer would be about all that it was to leave out. */
function refuseUndeclared(operation: string, variables: string | null): void {
  let given: unknown;
  try {
    given = JSON.parse(variables ?? '{}');
  } catch {
    // The reader of the request says so.
    return;
  }
  if (typeof given !== 'object' || given === null) return;
  const declared = variablesOf.get(operation)!;
  const details = Object.keys(given)
    .filter((name) => !declared.has(name))
    .map((path) => ({ path, message: say`is no variable of the operation ${operation}` }));
  if (details.length > 0) throw refuseValues(details);
}

/** Puts the text of the operation that an address names into it; false where it names none. */
export function nameOperation({ searchParams }: URL): boolean {
  const name = searchParams.get('operation');
  if (name === null) return false;
  const text = namedOperations.get(name);
  if (text === undefined)
    throw new Refusal(
      'not_found',
      `The operation does not exist; the operations are ${[...namedOperations.keys()].toSorted().join(', ')}`,
    );
  refuseUndeclared(name, searchParams.get('variables'));
  searchParams.delete('operation');
  searchParams.set('query', text);
  return true;
}
