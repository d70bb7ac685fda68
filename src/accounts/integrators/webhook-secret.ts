import { randomBytes } from 'node:crypto';
import type { Once } from '../../platform/call/idempotency.ts';
import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';

export const SECRET_PREFIX = 'whsec_';
const BYTES = 32;

/** A new signing secret, as integrators keep it: `whsec_` and 32 bytes in base64. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(BYTES).toString('base64');
}

/** A first secret that is entered only where there is none yet: the text of it, and what is stored. */
export interface FirstSecret {
  readonly secret: string;
  readonly sealed: Buffer;
}

export function firstSecret({ vault }: Pick<Call, 'vault'>, integrator: string): FirstSecret {
  const secret = newSecret();
  return { secret, sealed: vault.seal('webhook', integrator, secret) };
}

/** The secret, where it is the one that was entered; null where there was one before. */
export async function entered({ db }: Call, integrator: string, { secret, sealed }: FirstSecret): Promise<string | null> {
  const row = await db.row(sql`select 1 from integrator where code = ${integrator} and webhook_secret = ${sealed}`);
  return row === null ? null : secret;
}

/** The secret that the first try of a repeated request entered, whose answer was lost; null where it entered none. */
export async function enteredBefore({ db, vault }: Call, integrator: string, { principal, key }: Once): Promise<string | null> {
  const row = await db.row<{ sealed: Buffer }>(sql`
    select i.webhook_secret as sealed from integrator i join idempotency o on o.principal = ${principal} and o.key = ${key}
    where i.code = ${integrator} and i.webhook_secret_at = o.created_at`);
  return row && vault.open('webhook', integrator, row.sealed);
}
