import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../../prisma/definitions/', import.meta.url));

/** Kinds of definitions, in the order in which they are applied if names say nothing else. */
const KINDS = ['functions', 'views', 'triggers', 'roles'] as const;
type DefinitionKind = (typeof KINDS)[number];

/** A file of `prisma/definitions/`: the present definition of a function or a view, of a table's triggers, or of a role. */
export interface Definition {
  /** Its path without the ending, such as `views/oversight.agency`. */
  readonly name: string;
  readonly kind: DefinitionKind;
  /** The function, view, table or role. */
  readonly object: string;
  readonly sql: string;
  readonly hash: string;
  /** The contract migration of its `-- Until …`, which ends it; null of every other. */
  readonly until: string | null;
  /** The names of the functions and views that its text names, which have to be there before it. */
  readonly needs: readonly string[];
}

type Unordered = Omit<Definition, 'needs'>;

/** The definitions of this version, each after those that it needs. */
export function listDefinitions(): Definition[] {
  return orderDefinitions(
    globSync('*/*.sql', { cwd: FOLDER }).map((path) =>
      makeDefinition(path.slice(0, -'.sql'.length), readFileSync(`${FOLDER}${path}`, 'utf8')),
    ),
  );
}

/** A definition of its SQL. */
export function makeDefinition(name: string, sql: string): Unordered {
  const kind = KINDS.find((one) => name.startsWith(`${one}/`));
  if (!kind) throw new Error(`${name} is in no folder of definitions`);
  const hash = createHash('sha256').update(sql).digest('hex');
  return { name, kind, object: basename(name), sql, hash, until: /^-- Until (\w+)/.exec(sql)?.[1] ?? null };
}

/** Each definition after those that its text names; else by kind and name. */
export function orderDefinitions(definitions: readonly Unordered[]): Definition[] {
  const sorted = definitions.toSorted(
    (a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || (a.name < b.name ? -1 : 1),
  );
  const named = sorted.filter(({ kind }) => kind === 'functions' || kind === 'views');
  const ordered = new Map<string, Definition>();
  const visit = (definition: Unordered, path: readonly string[]): void => {
    if (ordered.has(definition.name)) return;
    if (path.includes(definition.name)) throw new Error(`Definitions need one another: ${path.join(', ')}`);
    const code = definition.sql.replaceAll(/--.*$/gm, '');
    const needs = named.filter(({ name, object }) => name !== definition.name && mentions(code, object));
    for (const need of needs) visit(need, [...path, definition.name]);
    ordered.set(definition.name, { ...definition, needs: needs.map(({ name }) => name) });
  };
  for (const definition of sorted) visit(definition, []);
  return [...ordered.values()];
}

/** True if SQL names an object: as a whole word, and not as that of another schema. */
function mentions(code: string, object: string): boolean {
  return new RegExp(String.raw`(?<![\w.])${object.replace('.', String.raw`\.`)}(?!\w)`).test(code);
}
