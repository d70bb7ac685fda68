import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { Refusal, refuseValue } from '../../kernel/refusal.ts';
import { LOCK_RULE, forgive, requireAttempt } from '../attempts/attempts.ts';
import { notifyOfChange } from '../staff/notify.ts';
import { endOtherSessions } from '../sessions/end.ts';
import { hashPassword, isPassword } from './hash.ts';
import { LONGEST_PASSWORD, requirePassword } from './rules.ts';
import { say } from '../../kernel/text/said.ts';

/** Changes the caller's own password; their other sessions end. */
export async function changePassword(
  call: Call,
  { currentPassword, newPassword }: { readonly currentPassword: string; readonly newPassword: string },
): Promise<{ message: string }> {
  const email = call.viewer.actor;
  const attempt = await requireAttempt(call, email);
  const user = await call.db.row<{ name: string; hash: string | null }>(sql`
    select name, password_hash as hash from staff where email = ${email} and active`);
  const right = await isPassword(currentPassword.slice(0, LONGEST_PASSWORD), user?.hash ?? null);
  if (!right || !user || currentPassword.length > LONGEST_PASSWORD)
    throw new Refusal('invalid_credentials', `The current password is wrong; ${LOCK_RULE}`);
  if (newPassword === currentPassword) throw refuseValue('newPassword', say`must not be the current password`);
  const password = await requirePassword('newPassword', newPassword, { email, name: user.name });
  const changed = guard`
    update staff set password_hash = ${await hashPassword(password)}, generation = generation + 1,
      updated_at = ${call.now()}
    where email = ${email} and active and password_hash = ${user.hash} returning email, generation`;
  const operated = { action: 'staff.change_password', subject: email, before: null, after: null, reason: null };
  const steps = [
    ...endOtherSessions(call, changed),
    ...forgive(call, attempt, changed),
    notifyOfChange(call, changed, 'password'),
  ];
  const done = await commit(call, { subject: email, guard: changed, steps, operated });
  if (!done) throw new Refusal('invalid_credentials', 'The password was changed by another request meanwhile');
  return passwordChanged();
}

/** Answer to the change. */
export function passwordChanged(): { message: string } {
  return { message: 'Your password was changed, and your other sessions have ended.' };
}
