import { NO_GRANTS } from '../../../platform/access/grants.ts';
import { hashMailbox, rememberNetwork } from '../../../platform/call/networks.ts';
import { STANDARD_SCOPES } from '../../../platform/access/needs.ts';
import type { Call } from '../../../platform/call/call.ts';
import { recordKey } from '../../../platform/change/idempotency.ts';
import { guard, statement, step } from '../../../platform/change/step.ts';
import { violatedUniqueOf } from '../../../platform/database/errors.ts';
import { type Sql, sql } from '../../../platform/database/sql.ts';
import type { ApiKey } from '../../keys/find.ts';
import { issueAgain } from '../../keys/issue.ts';
import { draftKey, insertKey } from '../../keys/draft.ts';
import { integratorLifecycle } from '../lifecycle.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { MOST_FAILED_A_DAY, isoDayOf, hashOtp, requireOtp } from './otp.ts';
import { getPendingSignUp, refuseAttempts } from './pending.ts';

export interface SignUpVerification {
  readonly integratorId: string;
  /** Shown this once; of it only a hash is kept. */
  readonly plaintext: string;
  readonly key: ApiKey;
}

/**
 * Activates an account by the code that was mailed to it, and issues its first key, in one statement. The same
 * statement counts a wrong entry: however many are tried at once, no more are compared than the day allows.
 */
export async function verifySignUp(
  call: Call,
  input: { integratorId: string; otp: string },
): Promise<SignUpVerification> {
  const otp = requireOtp(input.otp);
  const at = call.now();
  const { integratorId } = input;
  const pending = await getPendingSignUp(call, integratorId);
  refuseAttempts(pending, at);
  if (!pending.issued) throw new Refusal('otp_not_issued', 'There is no valid code; request one with `resendOtp`');

  const today = isoDayOf(at);
  const mailbox = hashMailbox(call, pending.email);
  const right = sql`(i.otp_hash = ${hashOtp(call.vault, integratorId, otp)} and i.otp_expires_at > ${at})`;
  const failedSoFar = sql`case when i.otp_attempts_day = ${today}::date then i.otp_attempts_today else 0 end`;
  const grants = { ...NO_GRANTS, managesAccount: true };
  // Accounts that signed up are in the sandbox tier until operators let them go live.
  const terms = {
    integrator: integratorId,
    label: 'First key',
    scopes: STANDARD_SCOPES,
    mode: 'sandbox',
    grants,
  } as const;
  const first = await draftKey(call, terms);
  const { from, to } = integratorLifecycle.verify;
  const changed = guard`
      update integrator i set
        status = case when ${right} then ${to}::integrator_status else i.status end,
        email_verified = ${right},
        otp_hash = case when ${right} or ${failedSoFar} + 1 >= ${MOST_FAILED_A_DAY} then null else i.otp_hash end,
        otp_attempts_day = ${today}::date,
        otp_attempts_today = ${failedSoFar} + case when ${right} then 0 else 1 end,
        updated_at = ${at}
      where i.code = ${integratorId} and i.status = any(${from}::integrator_status[]) and i.tos_voided_at is null
        and i.otp_hash is not null
        and ${failedSoFar} < ${MOST_FAILED_A_DAY}
      returning i.code, i.status = ${to}::integrator_status as matched,
        case when i.status = ${to}::integrator_status then ${mailbox}::bytea end as holder`;
  const rivals = step('rivals')`
    delete from integrator r using ${changed} c
    where c.matched and r.contact_email = ${pending.email} and r.status = 'PendingEmail' and r.code <> c.code`;
  const issued = step('issued')`${insertKey(sql`${changed} where matched`, first)}`;
  const others = [rivals, rememberNetwork(call, sql`${changed}`), issued, ...recordKey(call, issued, first.key.name)];
  const attempt = await enterCode(call, statement(sql`select matched from ${changed}`, others));
  // Another request was faster: it verified the sign-up, or entered the last wrong code of the day.
  if (!attempt) return verifySignUp(call, input);
  if (!attempt.matched) throw new Refusal('invalid_otp', 'The code is wrong or has expired');
  return { integratorId, plaintext: first.plaintext, key: first.key };
}

/** Enters a code, unless another sign-up with the same address was verified at the same time. */
async function enterCode({ db }: Call, query: Sql): Promise<{ matched: boolean } | null> {
  try {
    return await db.row<{ matched: boolean }>(query);
  } catch (error) {
    if (violatedUniqueOf(error) !== 'integrator_contact_email_key') throw error;
    throw new Refusal('duplicate_email', 'This e-mail address is already registered');
  }
}

/** The answer to a verification whose process died before it could give it: the same key, with a new plaintext. */
export async function verifySignUpAgain(call: Call, integratorId: string, name: string): Promise<SignUpVerification> {
  const { key, plaintext } = await issueAgain({ ...call, viewer: { ...call.viewer, integrator: integratorId } }, name);
  return { integratorId, plaintext, key };
}
