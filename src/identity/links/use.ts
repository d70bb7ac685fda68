import { refuseAllButStaff, showsBearer } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { notifyOfChange } from '../staff/notify.ts';
import { hashPassword } from '../passwords/hash.ts';
import { requirePassword } from '../passwords/rules.ts';
import { forgetWrongCodes } from '../second-factor/wrong-codes.ts';
import { endSessionsOf } from '../sessions/end.ts';
import { type LinkKind, findReturn, getLink, refuseLink, voidLinks } from './links.ts';

interface Use {
  readonly token: string;
  readonly password: string;
}

/** Answer to the use of a link. */
interface Used {
  readonly message: string;
  readonly returnTo: string | null;
}

/** In which state a member of staff has to be, `staff u`, for each kind of link. */
const STATE: Readonly<Record<LinkKind, Sql>> = {
  invitation: sql`not u.active and u.deactivated_at is null`,
  password_reset: sql`u.active`,
};

const DONE: Readonly<Record<LinkKind, string>> = {
  invitation: 'Your password is set. You can log in now.',
  password_reset: 'Your new password is set, and your sessions have ended. You can log in now.',
};

/** Accepts an invitation: the invited person is active from now on, with their own password. */
export function acceptInvitation(call: Call, use: Use): Promise<Used> {
  return choosePassword(call, 'invitation', use);
}

/** Sets a new password by a link that was mailed for it; every session ends, and a second factor stays. */
export function completePasswordReset(call: Call, use: Use): Promise<Used> {
  return choosePassword(call, 'password_reset', use);
}

/** A password by a link, which works once: two uses at a time find one row, of which one changes it. */
async function choosePassword(call: Call, kind: LinkKind, { token, password }: Use): Promise<Used> {
  if (showsBearer(call.viewer)) throw refuseAllButStaff();
  if (call.transport.source.foreign)
    throw new Refusal('forbidden', 'This is not allowed from a page of another origin');
  const link = await getLink(call, kind, token);
  const hash = await hashPassword(await requirePassword('password', password, link));
  const at = call.now();
  const changed = guard`
    update staff u set password_hash = ${hash}, active = true, generation = u.generation + 1, updated_at = ${at}
    where u.email = ${link.email} and ${STATE[kind]} and exists (
      select from staff_link l where l.id = ${link.id}::uuid and l.used_at is null for update)
    returning u.email`;
  const operated = {
    action: kind === 'invitation' ? 'staff.accept_invitation' : 'staff.reset_password',
    subject: link.email,
    before: null,
    after: null,
    reason: null,
  };
  // The holder of the link is the person to whom it was mailed.
  const holder = { ...call, viewer: { ...call.viewer, actor: link.email } };
  const done = await commit(holder, {
    subject: link.email,
    guard: changed,
    steps: [
      voidLinks(call, changed),
      endSessionsOf(changed, link.email, at),
      ...(kind === 'password_reset' ? [notifyOfChange(call, changed, 'password'), forgetWrongCodes(changed)] : []),
    ],
    operated,
  });
  if (!done) throw refuseLink();
  return { message: DONE[kind], returnTo: link.returnTo };
}

/** Answer to a use that was made. */
export async function answerUse(call: Call, kind: LinkKind, token: string): Promise<Used> {
  return { message: DONE[kind], returnTo: await findReturn(call, token) };
}
