import { randomBytes } from 'node:crypto';
import type { Once } from '../../platform/change/idempotency.ts';
import type { Call, Tools } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { enterFirst } from './default.ts';

export const SECRET_PREFIX = 'whsec_';
const BYTES = 32;

/** A new signing secret, as integrators keep it: `whsec_` and 32 bytes in base64. */
export function makeSecret(): string {
  return SECRET_PREFIX + randomBytes(BYTES).toString('base64');
}

/** A first secret that is entered only where there is none yet: the text of it, and what is stored. */
export interface FirstSecret {
  readonly secret: string;
  readonly sealed: Buffer;
}

export function makeFirstSecret({ vault }: Pick<Call, 'vault'>, integrator: string): FirstSecret {
  const secret = makeSecret();
  return { secret, sealed: vault.seal('webhook', integrator, secret) };
}

/** The secret, where it is the one that was entered; null where there was one before. */
export async function createdSecretOf(
  { db }: Call,
  integrator: string,
  { secret, sealed }: FirstSecret,
): Promise<string | null> {
  const row = await db.row(
    sql`select 1 from webhook_endpoint where integrator = ${integrator} and is_default and secret = ${sealed}`,
  );
  return row === null ? null : secret;
}

/** The secret that the first try of a repeated request entered, whose answer was lost; null where it entered none. */
export async function findEnteredBefore(
  { db, vault }: Call,
  integrator: string,
  { principal, key }: Once,
): Promise<string | null> {
  const row = await db.row<{ sealed: Buffer }>(sql`
    select e.secret as sealed from webhook_endpoint e join idempotency o on o.principal = ${principal} and o.key = ${key}
    where e.integrator = ${integrator} and e.is_default and e.secret_at = o.created_at`);
  return row && vault.open('webhook', integrator, row.sealed);
}

export interface RotatedSecret {
  /** Shown this once. */
  readonly secret: string;
  /** Until when the one before signs too. */
  readonly previousValidUntil: Date | null;
}

/** Owner that a secret is sealed for: the account of a default endpoint, any other endpoint itself. */
export function sealedFor({
  name,
  integrator,
  isDefault,
}: {
  readonly name: string;
  readonly integrator: string | null;
  readonly isDefault: boolean;
}): string {
  return isDefault ? integrator! : name;
}

/**
 * The secrets that sign messages to an endpoint now. An account that has asked for none yet gets one, which it learns by
 * rotating it.
 */
export async function getSigningSecrets(
  { db, vault, now }: Tools,
  endpoint: string,
): Promise<{ current: string; previous: string | null }> {
  const row = await db.row<{
    integrator: string | null;
    isDefault: boolean;
    current: Buffer | null;
    previous: Buffer | null;
  }>(sql`
    select integrator, is_default as "isDefault", secret as current,
      case when previous_until > ${now()} then previous_secret end as previous
    from webhook_endpoint where name = ${endpoint}`);
  const owner = sealedFor({ name: endpoint, ...row! });
  const sealed = row!.current ?? (await enterFirst(db, endpoint, makeFirstSecret({ vault }, owner).sealed));
  const current = vault.open('webhook', owner, sealed);
  if (current === null)
    throw new Error(`The webhook secret of ${endpoint} was sealed under a key that this rail does not have`);
  return { current, previous: row!.previous && vault.open('webhook', owner, row!.previous) };
}
