import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { type Catalogue, compareCatalogues, readCatalogue } from './catalogue.ts';
import type { Definition } from './definitions.ts';
import type { Migration } from './list.ts';

/** The migrations that the baseline stands for: how many there were, and the last of them. */
export const FORMER = { count: 106, last: '0238_statements_and_counters' };

/** Where the schema of the baseline is built to be compared, in a transaction that is rolled back. */
const EXPECTED = ['rail_expected', 'rail_expected_oversight'] as const;
const ACTUAL = ['public', 'oversight'] as const;
/** The hashes that definitions had when the baseline was made, as `sha256sum` writes them. */
const DEFINED = new URL('../../../../prisma/migrations/0001_baseline/definitions.txt', import.meta.url);
/** How many differences a refusal names. */
const MOST_NAMED = 20;

/**
 * Whether a database was made by the migrations from before the baseline. Throws where it lacks some of them, which
 * only a version that has their files can apply.
 */
export function isFormer(booked: ReadonlyMap<string, string>, baseline: Migration): boolean {
  if (booked.size === 0 || booked.has(baseline.name)) return false;
  if (booked.size === FORMER.count && booked.has(FORMER.last)) return true;
  const last = [...booked.keys()].toSorted().at(-1)!;
  throw new Error(
    `The database has ${booked.size} migrations up to ${last}, and this version takes over only what has all ${FORMER.count} up to ${FORMER.last}: first start on it the last version before this one that has them, which is the commit before prisma/migrations/${baseline.name}`,
  );
}

/** The definitions that are what they were when the baseline was made: a former database has them. */
export function listFormer(definitions: readonly Definition[]): readonly Definition[] {
  const hashes = readHashes();
  return definitions.filter(({ name, hash }) => hashes.get(name) === hash);
}

function readHashes(): ReadonlyMap<string, string> {
  const lines = readFileSync(DEFINED, 'utf8').trim().split('\n');
  return new Map(lines.map((line) => [line.slice(66).replace(/\.sql$/, ''), line.slice(0, 64)]));
}

/**
 * Throws where the schema of a former database is not what the baseline and the definitions make, as the catalogue
 * tells, and names the differences. Both are read from the same server, since each version of PostgreSQL spells
 * definitions in its own way. What was defined differently when the baseline was made is not compared, and applied
 * afterwards. Nothing that the database has is changed or locked.
 */
export async function requireSameSchema(
  client: pg.Client,
  baseline: Migration,
  definitions: readonly Definition[],
): Promise<void> {
  // Triggers and views of tables that came later are not there to be compared.
  const then = definitions.filter(({ name }) => readHashes().has(name) || name.startsWith('functions/'));
  const expected = await readExpected(client, [baseline, ...then].map(({ sql }) => sql).join('\n'));
  await client.query('begin; set local search_path = public');
  // Former migrations left it, and nothing has used it for long.
  await client.query('drop function if exists move_times(double precision[], double precision[], double precision[])');
  const former = new Set(listFormer(definitions).map(({ name }) => name));
  const names = new Set([...readHashes().keys(), ...definitions.map(({ name }) => name)]);
  const changed = [...names].filter((name) => !former.has(name));
  const unchanged = (catalogue: Catalogue) => new Map([...catalogue].filter(([object]) => !isOf(object, changed)));
  const differences = compareCatalogues(unchanged(await readCatalogue(client, ACTUAL)), unchanged(expected));
  await client.query(differences.length > 0 ? 'rollback' : 'commit');
  if (differences.length > 0)
    throw new Error(
      `The schema of this database is not what its migrations made, and is not taken over. Undo what was changed by hand: ${listed(differences)}`,
    );
}

/** Whether an object of the catalogue is of one of these definitions: `grant on first_waiting to …`. */
function isOf(object: string, definitions: readonly string[]): boolean {
  const words = object.split(/[ (]/);
  return definitions.some((definition) => {
    const [kind, name] = definition.split('/') as [string, string];
    // A table with other triggers is still compared.
    if (kind === 'triggers') return words[0] === 'trigger' && words.at(-1) === name;
    return words.some((word) => word === name || word.startsWith(`${name}.`));
  });
}

function listed(differences: readonly string[]): string {
  const more = differences.length - MOST_NAMED;
  return [...differences.slice(0, MOST_NAMED), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** The catalogue of a fresh database, built in schemas of other names. */
async function readExpected(client: pg.Client, sql: string): Promise<Catalogue> {
  const [tables, views] = EXPECTED;
  await client.query(`begin; create schema ${tables}; set local search_path = ${tables}, public`);
  try {
    await client.query(sql.replaceAll(/\boversight\b/g, views));
    const catalogue = await readCatalogue(client, EXPECTED);
    const rename = (text: string) => text.replaceAll(views, 'oversight').replaceAll(`${tables}.`, 'public.');
    return new Map([...catalogue].map(([object, definition]) => [rename(object), rename(definition)]));
  } finally {
    await client.query('rollback');
  }
}
