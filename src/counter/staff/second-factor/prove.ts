import type { Call } from '../../../platform/call/call.ts';
import { type Step, step } from '../../../platform/change/step.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Reason } from '../../../kernel/reasons.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { type Attempt, LOCK_RULE, takeBack } from '../attempts.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { isTimeCode, stepOf } from './totp.ts';

/** The confirmed second factor of a member of staff. */
export interface SecondFactor {
  readonly staff: string;
  readonly secret: string;
  /** The step of time whose code was used last. */
  readonly lastStep: number | null;
}

interface Row {
  readonly sealed: Buffer;
  readonly lastStep: string | null;
}

/** The confirmed second factor of a member of staff; null where there is none. */
export async function findSecondFactor({ db, vault }: Call, staff: string): Promise<SecondFactor | null> {
  const row = await db.row<Row>(sql`
    select sealed, last_step as "lastStep" from staff_second_factor where staff = ${staff} and confirmed_at is not null`);
  if (!row) return null;
  const secret = vault.open('second_factor', staff, row.sealed);
  if (secret === null)
    throw new Error(`The second factor of ${staff} is sealed under a key that this rail does not have`);
  return { staff, secret, lastStep: row.lastStep === null ? null : Number(row.lastStep) };
}

/**
 * The step that uses up a code, by time or for recovery: it yields a row where the code still counts, and no other
 * statement yields one for the same code. A code that is missing or wrong is refused; one that is missing is no failed
 * attempt, since the password was right.
 */
export async function proveSecondFactor(
  call: Call,
  factor: SecondFactor,
  code: string | null | undefined,
  attempt: Attempt,
): Promise<Step> {
  if (!code?.trim()) {
    await takeBack(call, attempt);
    throw refuseCode('second_factor_code_required', 'A code of your second factor is required');
  }
  const given = code.trim();
  if (!isTimeCode(given)) {
    return step('proved')`
      update staff_recovery_code set used_at = ${call.now()}
      where staff = ${factor.staff} and hash = ${hashRecoveryCode(given)} and used_at is null returning staff`;
  }
  const used = stepOf(factor.secret, given, call.now(), factor.lastStep);
  if (used === null) throw refuseWrongCode();
  return step('proved')`
    update staff_second_factor set last_step = ${used}
    where staff = ${factor.staff} and (last_step is null or last_step < ${used}) returning staff`;
}

/** The refusal of a code that is wrong, or that was used meanwhile. */
export function refuseWrongCode(): Refusal {
  return refuseCode('second_factor_code_wrong', `The code is wrong or was used before; ${LOCK_RULE}`);
}

function refuseCode(code: Reason, message: string): Refusal {
  return new Refusal('invalid_credentials', message, [{ path: 'code', message, code }]);
}
