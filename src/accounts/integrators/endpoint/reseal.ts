import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';

interface SealedSecrets {
  readonly integrator: string;
  readonly current: Buffer;
  readonly previous: Buffer | null;
}

/**
 * Seals the signing secrets of integrators under the first key that is configured, where they are under one that is
 * being replaced; how many accounts they were of. The old key can go once there are none.
 */
export async function resealSecrets({ db, vault }: Pick<Call, 'db' | 'vault'>): Promise<number> {
  if (!vault.isChangingKeys) return 0;
  const rows = await db.rows<SealedSecrets>(sql`
    select code as integrator, webhook_secret as current, webhook_previous_secret as previous from integrator
    where webhook_secret is not null`);
  let resealed = 0;
  for (const { integrator, current, previous } of rows) {
    const [next, nextPrevious] = [current, previous].map(
      (sealed) => sealed && vault.reseal('webhook', integrator, sealed),
    );
    if (!next && !nextPrevious) continue;
    // Not where it was rotated meanwhile: what is there now is sealed under the first key.
    const row = await db.row(sql`
      update integrator set webhook_secret = ${next ?? current}, webhook_previous_secret = ${nextPrevious ?? previous}
      where code = ${integrator} and webhook_secret = ${current}
        and webhook_previous_secret is not distinct from ${previous}
      returning 1`);
    if (row) resealed++;
  }
  return resealed;
}
