import { EVERY_AGENCY, NO_AGENCY } from '../../../platform/access/grants.ts';
import { hashNetwork } from '../../../platform/call/networks.ts';
import { STANDARD_SCOPES } from '../../../platform/access/needs.ts';
import type { Call } from '../../../platform/call/call.ts';
import { recordKey } from '../../../platform/change/idempotency.ts';
import { guard, statement } from '../../../platform/change/step.ts';
import { sql } from '../../../platform/database/sql.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { requireEmail } from '../../../kernel/text/email.ts';
import { requireName } from '../../../kernel/text/names.ts';
import { makeIntegratorCode } from '../code.ts';
import { postLetter } from '../../../platform/mail/send.ts';
import { MOST_SENDS_A_DAY, OTP_TTL_MS, isSendable, isoDayOf, hashOtp, makeOtp, findSendRefusal } from './otp.ts';
import { getPendingSignUp } from './pending.ts';
import { requireCurrentTerms } from './terms.ts';

export interface SignUp {
  readonly integratorId: string;
  readonly message: string;
  readonly expiresAt: Date;
  readonly sendsRemainingToday: number;
  /** The code itself, where the deployment reveals it to developers. */
  readonly devOtp: string | null;
}

const CODE_SENT =
  'We have e-mailed you a six-digit code. Send it with your integratorId to `verifySignUp` within 15 minutes.';

interface Input {
  readonly fullName: string;
  readonly email: string;
  readonly organisation: string;
  readonly tosAcceptedVersion: string;
}

/** Most sign-ups that wait for one address, each from a network of its own. */
const MOST_WAITING = 3;

/**
 * Opens an account that is good for nothing until its address is verified, and mails the code for that. An address is
 * registered once; only a sign-up that a change of the terms has voided can be made again. One that a stranger made
 * with the address does not keep its owner out, who asks from another network: whichever is verified first is the
 * account, and the others are gone.
 */
export async function signUp(call: Call, input: Input): Promise<SignUp> {
  const contactName = requireName('fullName', input.fullName);
  const organisation = requireName('organisation', input.organisation);
  const email = requireEmail('email', input.email);
  const tosVersion = requireCurrentTerms(call, input.tosAcceptedVersion);
  const at = call.now();
  const today = isoDayOf(at);
  const code = makeIntegratorCode(organisation);
  const network = hashNetwork(call);
  const otp = makeOtp();
  const expiresAt = new Date(at.getTime() + OTP_TTL_MS);
  // On a live rail, operators decide first by what and for whom it may collect.
  const allowed = call.config.mode === 'live' ? NO_AGENCY : EVERY_AGENCY;
  const changed = guard`
      insert into integrator as i (code, display_name, contact_email, contact_name, organisation, tier, pricing_tier,
        status,
        email_verified, scopes, tos_version, otp_hash, otp_expires_at, otp_sent_at, otp_sends_day, otp_sends_today,
          network,
        allowed_channels, allowed_agencies, created_at, updated_at)
      select ${code}, ${organisation}, ${email}, ${contactName}, ${organisation}, 'sandbox', 'free',
        'PendingEmail', false, ${[...STANDARD_SCOPES]}, ${tosVersion}, ${hashOtp(call.vault, code, otp)}, ${expiresAt},
          ${at},
        ${today}::date, 1, ${network},
        ${[...allowed]}, ${[...allowed]}, ${at}, ${at}
      where not exists (select from integrator r where r.contact_email = ${email} and r.status <> 'PendingEmail')
        and (
          select count(*) from integrator w where w.contact_email = ${email} and w.status = 'PendingEmail'
            and w.network <> ${network}
        ) < ${MOST_WAITING}
      on conflict (contact_email, network) where status = 'PendingEmail' do update set code = excluded.code,
        display_name = excluded.display_name, contact_name = excluded.contact_name,
          organisation = excluded.organisation,
        tos_version = excluded.tos_version, tos_voided_at = null, otp_hash = excluded.otp_hash,
        otp_expires_at = excluded.otp_expires_at, otp_sent_at = excluded.otp_sent_at,
          otp_sends_day = excluded.otp_sends_day,
        otp_sends_today = case when i.otp_sends_day = excluded.otp_sends_day then i.otp_sends_today + 1 else 1 end,
        created_at = excluded.created_at, updated_at = excluded.updated_at
      where i.status = 'PendingEmail' and i.tos_voided_at is not null
        and ${isSendable(sql`i.otp_sent_at`, at)}
        and (i.otp_sends_day is distinct from ${today}::date or i.otp_sends_today < ${MOST_SENDS_A_DAY})
      returning i.code as integrator, i.otp_sends_today as sends`;
  const queued = postLetter(call, 'otp', sql`${changed}`, otp, expiresAt);
  const entered = await call.db.row<{ sends: number }>(
    statement(
      sql`select sends, (select count(*) from ${queued}) as queued from ${changed}`,
      recordKey(call, changed, code),
    ),
  );
  if (!entered) throw await findSignUpRefusal(call, { email, network }, at);
  return {
    integratorId: code,
    message: CODE_SENT,
    expiresAt,
    sendsRemainingToday: MOST_SENDS_A_DAY - entered.sends,
    devOtp: call.config.devReveal ? otp : null,
  };
}

/**
 * The answer to a sign-up, or to another code, whose process died before it could give it. The code itself is in the
 * mail.
 */
export async function readSignUp(call: Call, code: string): Promise<SignUp> {
  const { expiresAt, sends } = await getPendingSignUp(call, code);
  return {
    integratorId: code,
    message: CODE_SENT,
    expiresAt: expiresAt!,
    sendsRemainingToday: MOST_SENDS_A_DAY - sends.today,
    devOtp: null,
  };
}

/** Reason why an address that is there already cannot be signed up. */
async function findSignUpRefusal(
  { db }: Call,
  { email, network }: { email: string; network: Buffer },
  at: Date,
): Promise<Refusal> {
  const row = await db.row<{ voided: boolean; day: string | null; today: number; lastAt: Date | null }>(sql`
    select tos_voided_at is not null as voided, otp_sends_day::text as day, otp_sends_today as today,
      otp_sent_at as "lastAt"
    from integrator where contact_email = ${email} and network = ${network} and status = 'PendingEmail'`);
  const tooMany = row?.voided ? findSendRefusal('otp', row, at) : null;
  return tooMany ?? new Refusal('duplicate_email', 'This e-mail address is already registered');
}
