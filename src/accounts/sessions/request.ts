import { isTooFar } from '../../platform/reading/ends.ts';
import { isKnown, hashMailbox, hashPair } from '../../platform/call/networks.ts';
import type { Call } from '../../platform/call/call.ts';
import { statement, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { consumeUrlOf } from '../../platform/mail/letters.ts';
import { postLetter } from '../../platform/mail/send.ts';
import {
  MOST_SENDS_A_DAY,
  SEND_INTERVAL_MS,
  isSendable,
  isoDayOf,
  findSendRefusal,
  refuseUntilTomorrow,
} from '../integrators/sign-up/otp.ts';
import { requireEmail } from '../../kernel/text/email.ts';
import { LONGEST_RETURN, isOwnPath } from '../../kernel/text/own-path.ts';
import { makeSignInLink } from './tokens.ts';

/** Lifetime of a link. */
const LINK_TTL_MS = 15 * 60_000;

export interface SignInRequest {
  readonly message: string;
  /** The link itself, where the deployment reveals it to developers. */
  readonly devConsumeUrl: string | null;
}

/** Mails of a day that strangers may use: an address keeps the others for networks that it is known to use. */
const MOST_FOR_STRANGERS = MOST_SENDS_A_DAY - 2;
/** Seconds ahead over which a day's mails of an address are spread. */
const MOST_AHEAD_SECONDS = (MOST_SENDS_A_DAY * SEND_INTERVAL_MS) / 1_000;

interface Made {
  readonly integrator: string | null;
  /** True if the address is known to use the network that asks. */
  readonly known: boolean;
  /** True if the address gets mail for it. */
  readonly mailed: boolean;
}

interface Input {
  readonly email: string;
  /** Path on this host to go on to once signed in; anything else counts for nothing. */
  readonly returnTo?: string | null | undefined;
}

/**
 * Mails a link that signs in, if the address is that of an Active integrator. For every address, the answer is the
 * same, and so are the statement and its rows: a link that opens nothing, and mail to nobody, which the job then does
 * not send. What a network asks for an address counts against that network; the address itself gets one mail a minute
 * and five a day at most, from all requesters, of which strangers can use up three. Its owner, who asks from where they
 * have signed in before, is so never kept out.
 */
export async function requestSignIn(call: Call, input: Input): Promise<SignInRequest> {
  const email = requireEmail('email', input.email);
  const returnTo = isOwnPath(input.returnTo) && input.returnTo.length <= LONGEST_RETURN ? input.returnTo : null;
  const at = call.now();
  const today = isoDayOf(at);
  const pair = hashPair(call, email);
  const mailbox = hashMailbox(call, email);
  const link = makeSignInLink();
  const expiresAt = new Date(at.getTime() + LINK_TTL_MS);
  const interval = sql`${SEND_INTERVAL_MS / 1_000} * interval '1 second'`;
  const counted = step('counted')`
      insert into sign_in_quota as q (address, day, sends, last_sent_at) values (${pair}, ${today}::date, 1, ${at})
      on conflict (address) do update set day = excluded.day, last_sent_at = excluded.last_sent_at,
        sends = case when q.day = excluded.day then q.sends + 1 else 1 end
      where ${isSendable(sql`q.last_sent_at`, at)}
        and (q.day <> excluded.day or q.sends < ${MOST_SENDS_A_DAY})
      returning 1`;
  const asker = step('asker')`select ${isKnown(call, mailbox)} as known from ${counted}`;
  const mailed = step('mailed')`
      insert into mailbox_quota as q (mailbox, day, sends, unknown_sends, last_sent_at)
      select ${mailbox}, ${today}::date, 1, case when known then 0 else 1 end, ${at} from ${asker}
      on conflict (mailbox) do update set day = excluded.day,
        sends = case when q.day = excluded.day then q.sends + 1 else 1 end,
        unknown_sends = case when q.day = excluded.day then q.unknown_sends else 0 end + excluded.unknown_sends,
        last_sent_at = case when ${isTooFar(sql`q.last_sent_at`, at, MOST_AHEAD_SECONDS)} then excluded.last_sent_at
          else greatest(excluded.last_sent_at, q.last_sent_at + ${interval}) end
      where q.day <> excluded.day or (q.sends < ${MOST_SENDS_A_DAY}
        and (excluded.unknown_sends = 0 or q.unknown_sends < ${MOST_FOR_STRANGERS}))
      returning last_sent_at`;
  const linked = step('linked')`
      insert into magic_link (id, integrator, mailbox, hash, return_to, created_at, expires_at)
      select ${link.id}, (select i.code from integrator i, ${mailed} where i.contact_email = ${email}
        and i.status = 'Active' and i.email_verified),
        ${mailbox}, ${link.hash}, ${returnTo}, ${at}, ${expiresAt}
      from ${counted} returning integrator`;
  const inTurn = sql`(select now() + (last_sent_at - ${at}::timestamptz) from ${mailed})`;
  const queued = postLetter(call, 'sign_in', sql`${linked}`, link.token, expiresAt, inTurn);
  const created = await call.db.row<Made>(
    statement(sql`
    select integrator, known, exists (select from ${mailed}) as mailed, (select count(*) from ${queued}) as queued
    from ${linked}, ${asker}`),
  );
  if (!created) {
    const sends = await call.db.row<{ day: string; today: number; lastAt: Date }>(sql`
      select day::text, sends as today, last_sent_at as "lastAt" from sign_in_quota where address = ${pair}`);
    const tooMany = sends && findSendRefusal('sign-in', sends, at);
    // The quota was swept away in between: there is room again.
    if (!tooMany) return requestSignIn(call, input);
    throw tooMany;
  }
  // To strangers the answer stays the same; who is known may know.
  if (created.known && !created.mailed) throw refuseUntilTomorrow('sign-in', MOST_SENDS_A_DAY, 'mails', at);
  return {
    message:
      'If this address belongs to an active account, a link to sign in is on its way. It works once, within 15 minutes.',
    devConsumeUrl: call.config.devReveal && created.integrator !== null ? consumeUrlOf(call.origin, link.token) : null,
  };
}
