import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { loadTogether } from '../../platform/reading/batch.ts';

interface KeyCounts {
  readonly active: number;
  readonly total: number;
}

const NONE: KeyCounts = { active: 0, total: 0 };

/** Number of an account's keys; those of several accounts are counted together. */
export async function countKeys(call: Call, integrator: string): Promise<KeyCounts> {
  const counts = await loadTogether(call, countKeys, integrator, async (integrators) => {
    const rows = await call.db.rows<KeyCounts & { readonly integrator: string }>(sql`
      select integrator, count(*) filter (where status = 'active')::int as active, count(*)::int as total
      from api_key where integrator = any(${integrators}) group by integrator`);
    return new Map(rows.map((row) => [row.integrator, row]));
  });
  return counts ?? NONE;
}
