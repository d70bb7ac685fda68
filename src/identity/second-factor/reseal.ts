import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';

interface Sealed {
  readonly staff: string;
  readonly sealed: Buffer | null;
  readonly pending: Buffer | null;
}

/**
 * Seals the secrets of second factors under the first key that is configured, where they are under one that is being
 * replaced; how many people they were of. The old key can go once there are none.
 */
export async function resealSecondFactors({ db, vault }: Pick<Call, 'db' | 'vault'>): Promise<number> {
  if (!vault.isChangingKeys) return 0;
  const rows = await db.rows<Sealed>(sql`select staff, sealed, pending from staff_second_factor`);
  let resealed = 0;
  for (const { staff, sealed, pending } of rows) {
    const [next, nextPending] = [sealed, pending].map((text) => text && vault.reseal('second_factor', staff, text));
    if (!next && !nextPending) continue;
    // Not where another was enrolled meanwhile: what is there now is sealed under the first key.
    const row = await db.row(sql`
      update staff_second_factor set sealed = ${next ?? sealed}, pending = ${nextPending ?? pending}
      where staff = ${staff} and sealed is not distinct from ${sealed} and pending is not distinct from ${pending}
      returning 1`);
    if (row) resealed++;
  }
  return resealed;
}
