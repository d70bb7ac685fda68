import type { Call } from '../call.ts';
import { sql } from '../database/sql.ts';
import { consumeUrl } from '../integrators/letters.ts';
import { posting } from '../integrators/mail.ts';
import { MOST_SENDS_A_DAY, SEND_INTERVAL_MS, dayOf, sendRefusal } from '../integrators/otp.ts';
import { emailAddress } from '../text.ts';
import { newLink } from './tokens.ts';

/** How long a link is good for. */
const LINK_TTL_MS = 15 * 60_000;

export interface SignInRequest {
  readonly message: string;
  /** The link itself, where the deployment reveals it to developers. */
  readonly devConsumeUrl: string | null;
}

/**
 * Mails a link that signs in, if the address is that of an Active integrator. Whatever the address, the answer is the same, and so
 * are the statement and its rows: a link that opens nothing, and mail to nobody, which the job then does not send.
 */
export async function requestSignIn(call: Call, input: { email: string }): Promise<SignInRequest> {
  const email = emailAddress('email', input.email);
  const at = call.now();
  const today = dayOf(at);
  const address = call.vault.hash('address', email);
  const link = newLink();
  const expiresAt = new Date(at.getTime() + LINK_TTL_MS);
  const made = await call.db.row<{ integrator: string | null }>(sql`
    with counted as (
      insert into sign_in_quota as q (address, day, sends, last_sent_at) values (${address}, ${today}::date, 1, ${at})
      on conflict (address) do update set day = excluded.day, last_sent_at = excluded.last_sent_at,
        sends = case when q.day = excluded.day then q.sends + 1 else 1 end
      where q.last_sent_at <= ${new Date(at.getTime() - SEND_INTERVAL_MS)} and (q.day <> excluded.day or q.sends < ${MOST_SENDS_A_DAY})
      returning 1
    ), linked as (
      insert into magic_link (id, integrator, hash, created_at, expires_at)
      select ${link.id}, (select code from integrator where contact_email = ${email} and status = 'Active' and email_verified), ${link.hash}, ${at}, ${expiresAt}
      from counted returning integrator
    ), ${posting(call, 'sign_in', sql`linked`, link.token, expiresAt)}
    select integrator, (select count(*) from queued) as queued from linked`);
  if (!made) {
    const sends = await call.db.row<{ day: string; today: number; lastAt: Date }>(sql`
      select day::text, sends as today, last_sent_at as "lastAt" from sign_in_quota where address = ${address}`);
    const tooMany = sends && sendRefusal('sign-in', sends, at);
    // The quota was swept away in between: there is room again.
    if (!tooMany) return requestSignIn(call, input);
    throw tooMany;
  }
  return {
    message: 'If this address belongs to an active account, a link to sign in is on its way. It works once, within 15 minutes.',
    devConsumeUrl: call.config.devReveal && made.integrator !== null ? consumeUrl(call.origin, link.token) : null,
  };
}
