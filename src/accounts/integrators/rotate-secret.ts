import type { Operated } from '../../platform/change/operation.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { type Step, guard } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { nameDefault, replaceUnseen, rotateDefault } from '../endpoints/default.ts';
import { type RotatedSecret, makeSecret } from '../endpoints/secret.ts';
import { announceChange } from '../../platform/mail/announce.ts';

/** Hours for which the secret before goes on signing too. */
const OVERLAP_HOURS = 24;

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
