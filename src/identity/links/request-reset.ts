import { refuseAllButStaff, showsBearer } from '../../platform/access/viewer.ts';
import { isKnown } from '../../platform/call/networks.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { requireEmail } from '../../kernel/text/email.ts';
import { LONGEST_RETURN, isOwnPath } from '../../kernel/text/own-path.ts';
import { hashHolder, recordReset } from '../attempts/attempts.ts';
import { mailLink } from './links.ts';

/** Letters a day that strangers can have sent to somebody: from networks that the person is not known to use. */
const MOST_FOR_STRANGERS = 3;

/**
 * Mails a link by which a new password can be set, if an active member of staff with a password has the address.
 * For every address, the answer is the same, and so are the statements and their rows: a link that opens nothing, and
 * mail to nobody.
 */
export async function requestPasswordReset(
  call: Call,
  input: { readonly email: string; readonly returnTo?: string | null | undefined },
): Promise<{ message: string }> {
  if (showsBearer(call.viewer)) throw refuseAllButStaff();
  const email = requireEmail('email', input.email);
  const returnTo = isOwnPath(input.returnTo) && input.returnTo.length <= LONGEST_RETURN ? input.returnTo : null;
  const { allowed } = await recordReset(call, email);
  const row = await call.db.row<{ known: boolean }>(sql`select ${isKnown(call, hashHolder(call, email))} as known`);
  const { known } = row!;
  const dayAgo = new Date(call.now().getTime() - DAY_MS);
  const changed = guard`
    select (
      select u.email from staff u
      where u.email = ${email} and u.active and u.password_hash is not null and ${allowed} and (${known} or
        (select count(*) from staff_link l where l.staff = u.email and l.kind = 'password_reset' and not l.known
          and l.created_at > ${dayAgo}) < ${MOST_FOR_STRANGERS})
    ) as staff`;
  await commit(call, {
    subject: null,
    guard: changed,
    steps: mailLink(call, 'password_reset', changed, { known, returnTo }),
  });
  return {
    message:
      'If this address belongs to somebody who can log in, a link to choose a new password is on its way. It works once, within an hour.',
  };
}
