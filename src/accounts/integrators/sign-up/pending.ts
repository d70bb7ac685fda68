import type { Call } from '../../../platform/call/call.ts';
import type { IntegratorStatus } from '../../../generated/prisma/enums.ts';
import { sql } from '../../../platform/database/sql.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { MOST_FAILED_A_DAY, type Sends, isoDayOf, refuseUntilTomorrow } from './otp.ts';
import { say } from '../../../kernel/text/said.ts';

interface Row {
  readonly email: string;
  readonly status: IntegratorStatus;
  readonly voided: boolean;
  readonly issued: boolean;
  readonly expiresAt: Date | null;
  readonly sendsDay: string | null;
  readonly sendsToday: number;
  readonly sentAt: Date | null;
  readonly attemptsDay: string | null;
  readonly attemptsToday: number;
}

/** A sign-up whose address is not verified yet. */
export interface PendingSignUp {
  readonly email: string;
  /** True if there is a code that it could be verified by. */
  readonly issued: boolean;
  readonly expiresAt: Date | null;
  readonly sends: Sends;
  readonly failed: { readonly day: string | null; readonly today: number };
}

/** Finds it, or says why there is none. */
export async function getPendingSignUp({ db, config }: Call, integratorId: string): Promise<PendingSignUp> {
  const row = await db.row<Row>(sql`
    select contact_email as email, status, tos_voided_at is not null as voided, otp_hash is not null as issued,
      otp_expires_at as "expiresAt", otp_sends_day::text as "sendsDay", otp_sends_today as "sendsToday",
        otp_sent_at as "sentAt",
      otp_attempts_day::text as "attemptsDay", otp_attempts_today as "attemptsToday"
    from integrator where code = ${integratorId}`);
  if (!row) throw new Refusal('not_found', say`The sign-up does not exist`);
  if (row.status !== 'PendingEmail') throw new Refusal('otp_not_issued', 'This sign-up is already verified');
  if (row.voided)
    throw new Refusal(
      'validation_failed',
      say`The terms have since changed to version ${config.tosVersion}; sign up again`,
    );
  return {
    email: row.email,
    issued: row.issued,
    expiresAt: row.expiresAt,
    sends: { day: row.sendsDay, today: row.sendsToday, lastAt: row.sentAt },
    failed: { day: row.attemptsDay, today: row.attemptsToday },
  };
}

/** Refuses once too many wrong codes were entered today; the last of them voided the code. */
export function refuseAttempts({ failed }: PendingSignUp, at: Date): void {
  if (failed.day === isoDayOf(at) && failed.today >= MOST_FAILED_A_DAY)
    throw refuseUntilTomorrow('otp-attempts', MOST_FAILED_A_DAY, 'wrong codes', at);
}
