import { sql } from '../database/sql.ts';
import type { Engine } from './engine.ts';
import type { Fact } from './fact.ts';
import { writeOut } from './literal.ts';
import type { Changes, Position, Snapshot } from './source.ts';
import { type Highest, type InFiles, fillTables, planReplacement } from './tables.ts';
import type { Views } from './views.ts';

/** Documents of a fact that are read and replaced at a time. */
const BATCH = 2_000;

/** Content of the file of a copy. A copy of other facts or views than these is made again. */
export interface Contents {
  readonly facts: readonly Fact[];
  readonly views: Views;
}

const declare = ({ facts, views }: Contents) => JSON.stringify([facts, views.declared]);

/** Makes the copy again: readers see the former one until all of it is there. */
export async function fill(
  engine: Engine,
  contents: Contents,
  readers: Parameters<typeof fillTables>[3],
  { position, inFiles }: { readonly position: Position; readonly inFiles: InFiles | null },
): Promise<void> {
  await engine.write(async (run) => {
    await fillTables(engine, run, contents.facts, readers, inFiles);
    await run(`
      create or replace table position
        (snapshot varchar, as_of timestamptz, origin varchar, facts varchar, verified_at timestamptz)`);
    const { snapshot, asOf, origin } = position;
    await run('insert into position values ($1, $2, $3, $4, $2)', [snapshot, asOf, origin, declare(contents)]);
    await contents.views.make(run);
  });
}

/** Replaces the rows of the documents that changed. */
export async function follow(
  engine: Engine,
  contents: Contents,
  snapshot: Snapshot,
  { documents, position }: Changes,
  highest: Highest,
): Promise<void> {
  const { facts, views } = contents;
  const { snapshot: name, asOf, origin } = position;
  const moved = writeOut(sql`update position set snapshot = ${name}, as_of = ${asOf}, origin = ${origin}`);
  await engine.write(async (run) => {
    const partsFrom = (at: number) =>
      facts
        .map((fact) => ({ fact, documents: (documents.get(fact.of) ?? []).slice(at, at + BATCH) }))
        .filter((part) => part.documents.length > 0);
    for (let at = 0, parts = partsFrom(0); parts.length > 0; parts = partsFrom((at += BATCH))) {
      const reads = await snapshot.read(parts);
      const statements: string[] = [];
      for (const [place, { fact }] of parts.entries())
        statements.push(...(await planReplacement(run, fact, reads[place]!, highest, (...of) => views.mark(...of))));
      // Together, since each would wait for several turns of this thread.
      await run([...statements, moved].join(';'));
    }
  });
}

/** Notes that a file was right at a position, and makes its views again. */
export async function confirm(engine: Engine, { views }: Contents, { asOf }: Position): Promise<void> {
  await engine.write(async (run) => {
    await views.make(run);
    await run('update position set verified_at = $1', [asOf]);
  });
}

/** Up to where a file has these contents, and when it was right last; null where it has others, or none. */
export async function findPosition(
  engine: Engine,
  contents: Contents,
): Promise<(Position & { readonly verifiedAt: Date }) | null> {
  const kept = await engine
    .reading((db) =>
      db.row<Position & { facts: string; verifiedAt: Date }>(
        sql`select snapshot, as_of as "asOf", origin, facts, verified_at as "verifiedAt" from position`,
      ),
    )
    .catch(() => null);
  return kept?.facts === declare(contents) ? kept : null;
}
