import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Refusal } from '../../kernel/refusal.ts';

const FOLDER = new URL('./', import.meta.url);

/** Operations that dashboards ask for by name, each in a file of that name, in a folder of what they are about. */
export const namedOperations: ReadonlyMap<string, string> = new Map(
  globSync('*/*.graphql', { cwd: FOLDER }).map((file) => [
    basename(file, '.graphql'),
    readFileSync(new URL(file, FOLDER), 'utf8'),
  ]),
);

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
  searchParams.delete('operation');
  searchParams.set('query', text);
  return true;
}
