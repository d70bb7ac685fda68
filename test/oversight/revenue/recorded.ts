import { placeEvents } from '../../../src/oversight/events/place.ts';
import type { Manifest, WrittenFile } from '../../../src/oversight/revenue/datasets/manifest.ts';
import { writeDatasets } from '../../../src/oversight/revenue/datasets/write.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import type { TestRail } from '../../harness/rail.ts';

/** Payment events of other days, each of the amount of its number, with all that oversight learns of them. */
export async function record(rail: TestRail, from: number, to: number, first: string): Promise<void> {
  await rail.rail.transaction(async (db) => {
    await db.rows(sql`set local session_replication_role = replica`);
    await db.rows(sql`
      insert into payment_event (name, intent, assessment, integrator, mda, amount, currency, channel, kind,
        aggregator_reference, txn_id, occurred_at, created_at)
      select 'PEV-2025-01-' || lpad(n::text, 6, '0'), 'PI-2025-01-' || lpad(n::text, 6, '0'), assessment, integrator,
        mda, 1000 + n, currency, channel, kind, 'R-' || n, null, ${first}::timestamptz + n * interval '1 hour', now()
      from (select * from payment_event order by name limit 1) e, generate_series(${from}::int, ${to}::int) n`);
  });
  while ((await placeEvents(rail.rail)) > 0);
}

/** Writes datasets into a folder: the files that this adds, and the manifest of all. */
export async function write(
  { rail }: TestRail,
  folder: string,
): Promise<{ added: readonly WrittenFile[]; manifest: Manifest }> {
  const added: WrittenFile[] = [];
  const writing = writeDatasets(rail, folder);
  for (;;) {
    const step = await writing.next();
    if (step.done) return { added, manifest: step.value };
    added.push(step.value);
  }
}
