import { loadProfile } from '../collection/catalogue/loading/load.ts';
import { readShippedProfiles } from '../collection/catalogue/loading/profile.ts';
import { actAsSystem } from '../platform/access/viewer.ts';
import type { Rail } from '../platform/call/call.ts';
import { seedExampleCitizens } from './example-citizens.ts';
import { Docnames } from '../platform/database/docnames.ts';
import { sql } from '../platform/database/sql.ts';

/**
 * Any number that nobody else uses: held while a sandbox is filled, so that processes started together fill it once.
 */
const SEED_LOCK = 7_283_006;

/**
 * Fills a sandbox that has no agencies yet, in one transaction: a start that dies half-way leaves it empty for the next
 * one. A sandbox that has agencies is left as it is.
 */
export async function seedSandbox({ transaction, now }: Pick<Rail, 'transaction' | 'now'>): Promise<void> {
  await transaction(async (db) => {
    await db.row(sql`select pg_advisory_xact_lock(${SEED_LOCK})`);
    if (await db.row(sql`select 1 from mda limit 1`)) return;
    // Numbers of this transaction's own: those of another connection would be used up by a try that fails.
    const docnames = new Docnames(db);
    const loading = { db, docnames, now, viewer: actAsSystem('sandbox'), requestId: 'sandbox' };
    for (const profile of readShippedProfiles()) await loadProfile(loading, profile);
    await seedExampleCitizens(db, docnames, now());
  });
}
