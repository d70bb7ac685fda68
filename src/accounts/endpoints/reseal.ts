import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { sealedFor } from './secret.ts';

interface SealedSecrets {
  readonly name: string;
  readonly integrator: string | null;
  readonly isDefault: boolean;
  readonly current: Buffer;
  readonly previous: Buffer | null;
}

/**
 * Seals the signing secrets of endpoints under the first key that is configured, where they are under one that is being
 * replaced; how many endpoints they were of. The old key can go once there are none.
 */
export async function resealSecrets({ db, vault }: Pick<Call, 'db' | 'vault'>): Promise<number> {
  if (!vault.isChangingKeys) return 0;
  const rows = await db.rows<SealedSecrets>(sql`
    select name, integrator, is_default as "isDefault", secret as current, previous_secret as previous
    from webhook_endpoint where secret is not null`);
  let resealed = 0;
  for (const endpoint of rows) {
    const { name, current, previous } = endpoint;
    const [next, nextPrevious] = [current, previous].map(
      (sealed) => sealed && vault.reseal('webhook', sealedFor(endpoint), sealed),
    );
    if (!next && !nextPrevious) continue;
    // Not where it was rotated meanwhile: what is there now is sealed under the first key.
    const row = await db.row(sql`
      update webhook_endpoint set secret = ${next ?? current}, previous_secret = ${nextPrevious ?? previous}
      where name = ${name} and secret = ${current} and previous_secret is not distinct from ${previous}
      returning 1`);
    if (row) resealed++;
  }
  return resealed;
}
