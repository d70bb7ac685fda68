import type { KeyMode } from '../../platform/access/key-format.ts';
import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';

/**
 * Mode of a new key of an account: on a live rail it follows the tier of the account, and a sandbox has no live keys.
 */
export async function findKeyMode({ config, viewer, db }: Call, integrator: string): Promise<KeyMode> {
  if (config.mode === 'sandbox') return 'sandbox';
  if (viewer.account && viewer.integrator === integrator) return viewer.account.tier;
  const account = await db.row<{ tier: KeyMode }>(sql`select tier from integrator where code = ${integrator}`);
  // Without an account, no key is issued.
  return account?.tier ?? 'sandbox';
}
