import { rm } from 'node:fs/promises';
import type { Engine } from './engine.ts';
import { escape } from './literal.ts';
import type { Fact, FactFiles } from './fact.ts';
import type { Read, Snapshot } from './source.ts';

/** Runs a statement of the transaction that changes the copy. */
export type Run = (text: string, values?: readonly unknown[]) => Promise<unknown>;

/** Rows of a fact in files. */
export type InFiles = Awaited<ReturnType<FactFiles['find']>> & Pick<FactFiles, 'fact'>;

/** Has a file that PostgreSQL writes a fact to for as long as something is done with it. */
export async function withFile(engine: Engine, name: string, use: (path: string) => Promise<void>): Promise<void> {
  const path = `${engine.path}.${name}.csv`;
  try {
    await use(path);
  } finally {
    await rm(path, { force: true });
  }
}

const columnsOf = ({ columns }: Fact) => Object.entries({ document: 'bigint', ...columns });

/** The digits of a docname, as PostgreSQL's `document_number` has them: what begins with none has a prefix. */
const NUMBER = `replace(replace(if(document < 'A', document, substr(document, instr(document, '-') + 1)), '-', ''), '.', '')::bigint`;

/** The rows of a file that PostgreSQL has written. */
export function csvOf(fact: Fact, path: string): string {
  return `select * replace (${NUMBER} as document) from read_csv('${escape(path)}', header = false, auto_detect = false,
    delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false,
    columns = {'document': 'varchar', ${Object.entries(fact.columns)
      .map(([name, type]) => `'${name}': '${type}'`)
      .join(', ')}})`;
}

/** Makes the table of a fact. */
export async function load(run: Run, fact: Fact, rows: string): Promise<void> {
  await run(`drop table if exists ${fact.name}`);
  await run(
    `create table ${fact.name} (${columnsOf(fact)
      .map((column) => column.join(' '))
      .join(', ')})`,
  );
  await run(`insert into ${fact.name} ${rows}`);
}

/** The highest document of each table, by its fact: later ones have no rows that would have to be removed. */
export type Highest = Map<string, number>;

/** Statements that replace the rows of documents, and `mark` which they are: before, and after. */
export async function planReplacement(
  run: Run,
  fact: Fact,
  { rows, numbers }: Read,
  highest: Highest,
  mark: (fact: Fact, where: string) => readonly string[],
): Promise<readonly string[]> {
  const last = highest.get(fact.name) ?? (await findHighest(run, fact));
  const known = numbers.filter((number) => number <= last);
  // Documents lie about in the order of their numbers, so that few blocks of rows have any of them.
  const isAmong = (some: readonly number[]) =>
    `document between ${Math.min(...some)} and ${Math.max(...some)} and document in (select unnest([${some.join(',')}]::bigint[]))`;
  const remove = () => [...mark(fact, isAmong(known)), `delete from ${fact.name} where ${isAmong(known)}`];
  const types = columnsOf(fact).map(([name, type]) => `"${name}":"${type}"`);
  const insert = `insert into ${fact.name} by name select unnest(from_json('${escape(rows)}', '[{${types.join(',')}}]'), recursive := true)`;
  highest.set(fact.name, rows === '[]' ? last : Math.max(last, ...numbers));
  return [...(known.length === 0 ? [] : remove()), ...(rows === '[]' ? [] : [insert, ...mark(fact, isAmong(numbers))])];
}

async function findHighest(run: Run, { name }: Fact): Promise<number> {
  const [row] = (await run(`select coalesce(max(document), 0) as last from ${name}`)) as [{ last: number }];
  return row.last;
}

/**
 * Makes the tables of facts. Several readers have PostgreSQL write them to files, as of one moment, while those that it
 * has written are loaded.
 */
export async function fillTables(
  engine: Engine,
  run: Run,
  facts: readonly Fact[],
  readers: readonly ((read: (reader: Snapshot) => Promise<void>) => Promise<void>)[],
  inFiles: InFiles | null,
): Promise<void> {
  const waiting = [...facts];
  let loading = Promise.resolve();
  const loadNext = (rows: string, fact: Fact) => (loading = loading.then(() => load(run, fact, rows)));
  const read = async (reader: Snapshot) => {
    for (let fact = waiting.shift(); fact; fact = waiting.shift()) {
      const { name } = fact;
      const files = name === inFiles?.fact ? inFiles : null;
      await withFile(engine, name, (path) =>
        withFile(engine, `${name}.supplement`, async (supplement) => {
          await reader.writeAll(fact, path, files?.rest);
          const rows = csvOf(fact, path);
          if (!files?.rows) return loadNext(rows, fact);
          await reader.write(files.supplement, supplement);
          return loadNext(`${files.rows(supplement)} union all ${rows}`, fact);
        }),
      );
    }
  };
  const ends = await Promise.allSettled(
    readers.map((readBy) =>
      readBy(read).catch((error: unknown) => {
        waiting.length = 0;
        throw error;
      }),
    ),
  );
  const failed = ends.find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}
