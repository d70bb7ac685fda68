import { randomBytes } from 'node:crypto';
import type { Operated } from '../../../platform/audit/operation.ts';
import type { Once } from '../../../platform/call/idempotency.ts';
import type { Call, Rail } from '../../../platform/call/call.ts';
import { commit } from '../../../platform/change/commit.ts';
import { type Step, guard } from '../../../platform/change/step.ts';
import { sql } from '../../../platform/database/sql.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { enterFirst, nameDefault, replaceUnseen, rotateDefault } from '../../endpoints/default.ts';
import { announceChange } from '../announce.ts';

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

/** How long the secret before goes on signing too. */
const OVERLAP_HOURS = 24;

export interface RotatedSecret {
  /** Shown this once. */
  readonly secret: string;
  /** Until when the one before signs too. */
  readonly previousValidUntil: Date | null;
}

/** Gives the caller's account a new signing secret, which is audited, and of which the owner is written to. */
export function rotateOwnSecret(call: Call): Promise<RotatedSecret> {
  const code = call.viewer.integrator!;
  const operated = { action: 'integrator.rotate_secret', subject: code, before: null, after: null, reason: null };
  return rotateSecret(call, code, operated, (changed) => [
    announceChange(call, changed, 'The secret that its webhooks are signed with was replaced.'),
  ]);
}

/** Gives an account a new signing secret. */
export async function rotateSecret(
  call: Call,
  integrator: string,
  operated: Operated,
  more: (changed: Step) => Promise<readonly Step[]> | readonly Step[] = () => [],
): Promise<RotatedSecret> {
  const secret = makeSecret();
  const at = call.now();
  const until = new Date(at.getTime() + OVERLAP_HOURS * 3_600_000);
  const before = await call.db.row(
    sql`select from webhook_endpoint where integrator = ${integrator} and is_default and secret is not null`,
  );
  const changed = guard`
    update integrator set updated_at = ${at} where code = ${integrator} and status = 'Active' returning code`;
  const name = await nameDefault(call, integrator);
  const sealed = call.vault.seal('webhook', integrator, secret);
  const steps = [rotateDefault(changed, { name, at, sealed, until }), ...(await more(changed))];
  if (!(await commit(call, { subject: integrator, guard: changed, steps, operated })))
    throw new Refusal('unauthenticated', 'The account is suspended');
  return { secret, previousValidUntil: before ? until : null };
}

/**
 * The answer to a rotation whose process died before it could give it: a secret that nobody has seen is replaced, and
 * the one before it, which the receiver still has, goes on signing as long as it would have.
 */
export async function rotateSecretAgain(
  { db, vault, viewer, now }: Call,
  integrator: string = viewer.integrator!,
): Promise<RotatedSecret> {
  const secret = makeSecret();
  const sealed = vault.seal('webhook', integrator, secret);
  return { secret, previousValidUntil: await replaceUnseen(db, integrator, sealed, now()) };
}

/** What a secret is sealed for: the account of a default endpoint, any other endpoint itself. */
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
  { db, vault, now }: Rail,
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
