import type { Call } from '../../platform/call/call.ts';
import { type Step, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Reason } from '../../kernel/reasons.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { readCopied } from '../../kernel/text/typed.ts';
import { type Attempt, LOCK_RULE, takeBack } from '../attempts/attempts.ts';
import { useChallenge } from './passkeys/challenge.ts';
import { type Passkey, findPasskeys } from './passkeys/find.ts';
import { readAssertion } from './passkeys/web-authn.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { isTimeCode, stepOf } from './totp.ts';
import { FACTOR_LOCK_RULE, countCode, warnOfWrongCodes } from './wrong-codes.ts';

/** Second factors of a member of staff: an authenticator app, passkeys, or both. */
export interface SecondFactor {
  readonly staff: string;
  readonly passkeys: readonly Passkey[];
  /** The secret of the authenticator app; null where they have none. */
  readonly secret: string | null;
  /** The step of time whose code was used last. */
  readonly lastStep: number | null;
}

/** Proof of a second factor: a code, by time or for recovery, or the answer of a passkey. */
export interface Shown {
  readonly code?: string | null | undefined;
  /** `PublicKeyCredential.toJSON()` of what `navigator.credentials.get` answered. */
  readonly passkey?: unknown;
}

interface Row {
  readonly sealed: Buffer;
  readonly lastStep: string | null;
}

/** The second factor of a member of staff; null where there is none. */
export async function findSecondFactor(call: Call, staff: string): Promise<SecondFactor | null> {
  const { db, vault } = call;
  const passkeys = await findPasskeys(call, staff);
  const row = await db.row<Row>(sql`
    select sealed, last_step as "lastStep" from staff_second_factor where staff = ${staff} and confirmed_at is not null`);
  if (!row) return passkeys.length > 0 ? { staff, passkeys, secret: null, lastStep: null } : null;
  const secret = vault.open('second_factor', staff, row.sealed);
  if (secret === null) throw new Error('A second factor is sealed under a key that this rail does not have');
  return { staff, passkeys, secret, lastStep: row.lastStep === null ? null : Number(row.lastStep) };
}

/**
 * The step that uses up a code, by time or for recovery, or the answer of a passkey: it yields a row where that still
 * counts, and no other statement yields one for the same. What is missing or wrong is refused; what is missing is no
 * failed attempt, since the password was right.
 */
export async function proveSecondFactor(
  call: Call,
  factor: SecondFactor,
  { code, passkey }: Shown,
  attempt: Attempt,
): Promise<Step> {
  const given = readCopied(code ?? '');
  const byPasskey = passkey !== undefined && passkey !== null;
  if (!byPasskey && given === '') {
    await takeBack(call, attempt);
    throw refuseCode('second_factor_code_required', 'A code of your second factor, or a passkey, is required');
  }
  if (!(await countCode(call, factor.staff))) {
    await takeBack(call, attempt);
    throw refuseCode('second_factor_locked', LOCKED);
  }
  if (byPasskey) return provePasskey(call, factor, passkey);
  if (!isTimeCode(given)) {
    return step('proved')`
      update staff_recovery_code set used_at = ${call.now()}
      where staff = ${factor.staff} and hash = ${hashRecoveryCode(given)} and used_at is null returning staff as email`;
  }
  const used = factor.secret === null ? null : stepOf(factor.secret, given, call.now(), factor.lastStep);
  if (used === null) throw await refuseProof(call, factor.staff);
  return step('proved')`
    update staff_second_factor set last_step = ${used}
    where staff = ${factor.staff} and (last_step is null or last_step < ${used}) returning staff as email`;
}

async function provePasskey(call: Call, { staff, passkeys }: SecondFactor, given: unknown): Promise<Step> {
  const assertion = await readAssertion(call, staff, passkeys, given);
  if (!assertion) throw await refuseProof(call, staff);
  const { passkey, counter, challenge } = assertion;
  return step('proved')`
    update staff_passkey k set counter = ${counter}::bigint, last_used_at = ${call.now()}
    from ${useChallenge(call, challenge)}
    where k.id = ${passkey.id}::uuid and k.counter = ${passkey.counter}::bigint returning k.staff as email`;
}

const LOCKED =
  `The second factor is locked: ${FACTOR_LOCK_RULE}; choose a new password by a link that is mailed to you, ` +
  'or have an operator reset the second factor';

/** The refusal of what was to prove a second factor and does not, or was used meanwhile; the member of staff is warned of many. */
export async function refuseProof(call: Call, staff: string): Promise<Refusal> {
  await warnOfWrongCodes(call, staff);
  return refuseWrongCode();
}

/** The refusal of a code or passkey that is wrong. */
export function refuseWrongCode(): Refusal {
  return refuseCode('second_factor_code_wrong', `The code or passkey is wrong or was used before; ${LOCK_RULE}`);
}

function refuseCode(code: Reason, message: string): Refusal {
  return new Refusal('invalid_credentials', message, [{ path: 'code', message, code }]);
}
