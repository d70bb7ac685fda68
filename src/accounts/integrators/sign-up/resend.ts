import type { Call } from '../../../platform/call/call.ts';
import { recordKey } from '../../../platform/change/idempotency.ts';
import { guard, statement } from '../../../platform/change/step.ts';
import { sql } from '../../../platform/database/sql.ts';
import {
  MOST_FAILED_A_DAY,
  MOST_SENDS_A_DAY,
  OTP_TTL_MS,
  isSendable,
  isoDayOf,
  hashOtp,
  makeOtp,
  findSendRefusal,
} from './otp.ts';
import { postLetter } from '../../../platform/mail/send.ts';
import { getPendingSignUp, refuseAttempts } from './pending.ts';
import type { SignUp } from './sign-up.ts';

/** Mails a new code, which is the only one that counts from then on. */
export async function resendOtp(call: Call, integratorId: string): Promise<SignUp> {
  const at = call.now();
  const pending = await getPendingSignUp(call, integratorId);
  refuseAttempts(pending, at);
  const tooMany = findSendRefusal('otp', pending.sends, at);
  if (tooMany) throw tooMany;
  const otp = makeOtp();
  const today = isoDayOf(at);
  const expiresAt = new Date(at.getTime() + OTP_TTL_MS);
  const changed = guard`
      update integrator set otp_hash = ${hashOtp(call.vault, integratorId, otp)}, otp_expires_at = ${expiresAt},
        otp_sent_at = ${at},
        otp_sends_today = case when otp_sends_day = ${today}::date then otp_sends_today + 1 else 1 end,
          otp_sends_day = ${today}::date, updated_at = ${at}
      where code = ${integratorId} and status = 'PendingEmail' and tos_voided_at is null
        and ${isSendable(sql`otp_sent_at`, at)}
        and (otp_sends_day is distinct from ${today}::date or otp_sends_today < ${MOST_SENDS_A_DAY})
        and (otp_attempts_day is distinct from ${today}::date or otp_attempts_today < ${MOST_FAILED_A_DAY})
      returning code as integrator, otp_sends_today as sends`;
  const queued = postLetter(call, 'otp', sql`${changed}`, otp, expiresAt);
  const sent = await call.db.row<{ sends: number }>(
    statement(
      sql`select sends, (select count(*) from ${queued}) as queued from ${changed}`,
      recordKey(call, changed, integratorId),
    ),
  );
  // Another request was faster: it sent a code just now, or verified the address.
  if (!sent) return resendOtp(call, integratorId);
  return {
    integratorId,
    message: 'We have sent you a new code. Earlier codes no longer work.',
    expiresAt,
    sendsRemainingToday: MOST_SENDS_A_DAY - sent.sends,
    devOtp: call.config.devReveal ? otp : null,
  };
}
