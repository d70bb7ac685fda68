import type { Difference } from './analytics.ts';
import type { Engine } from './engine.ts';
import type { Fact } from './fact.ts';
import type { Snapshot } from './source.ts';
import { csvOf, load, withFile } from './tables.ts';

/** Most documents that are named as different, for each fact. */
const MOST_DIFFERENCES = 20;

/** Reads a fact again, and answers the first documents of which the copy has other rows. */
export async function compare(engine: Engine, snapshot: Snapshot, fact: Fact): Promise<Difference[]> {
  const rows = (one: string, other: string) => `(from ${one} except all from ${other})`;
  const again = { ...fact, name: `again_${fact.name}` };
  let found: { document: number }[] = [];
  await engine.write(async (run) => {
    await withFile(engine, fact.name, async (path) => {
      await snapshot.writeAll(fact, path);
      await load(run, again, csvOf(fact, path));
    });
    found = (await run(`
      select distinct document
      from (from ${rows(fact.name, again.name)} union all from ${rows(again.name, fact.name)})
      order by document limit ${MOST_DIFFERENCES}`)) as { document: number }[];
    await run(`drop table ${again.name}`);
  });
  return found.map(({ document }) => ({ fact: fact.name, document }));
}
