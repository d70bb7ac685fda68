import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard, statement, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { refuseBecause } from '../../kernel/refusal.ts';
import { forgive, requireAttempt } from '../attempts/attempts.ts';
import { notifyOfChange } from '../staff/notify.ts';
import { endOtherSessions } from '../sessions/end.ts';
import {
  type SecondFactor,
  type Shown,
  findSecondFactor,
  proveSecondFactor,
  refuseProof,
  refuseWrongCode,
} from './prove.ts';
import { makeRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts';
import { readCopied } from '../../kernel/text/typed.ts';
import { enrolmentUrlOf, isTimeCode, makeSecret, stepOf } from './totp.ts';
import { forgetWrongCodes } from './wrong-codes.ts';

/** Time for which a secret waits to be confirmed. */
const PENDING_MS = 60 * 60_000;

/** A secret that counts once a code of it has confirmed it. */
export interface Enrolment {
  /** In Base32. */
  readonly secret: string;
  readonly otpauthUrl: string;
}

/** Shown once: hashes of them are stored. */
export interface RecoveryCodes {
  readonly codes: readonly string[];
}

/**
 * Makes a secret for the caller's authenticator app. A person with a second factor proves it first; it stays until the
 * new one is confirmed.
 */
export async function enrolSecondFactor(call: Call, shown: Shown): Promise<Enrolment> {
  const staff = call.viewer.actor;
  const present = await findSecondFactor(call, staff);
  if (present) await requireProof(call, present, shown);
  const secret = makeSecret();
  const changed = guard`
    insert into staff_second_factor (staff, pending, pending_at)
    values (${staff}, ${call.vault.seal('second_factor', staff, secret)}, ${call.now()})
    on conflict (staff) do update set pending = excluded.pending, pending_at = excluded.pending_at
    returning staff`;
  await commit(call, { subject: staff, guard: changed });
  return { secret, otpauthUrl: enrolmentUrlOf(staff, secret) };
}

/** The secret that waits for the caller's confirmation, again. */
export async function enrolAgain(call: Call): Promise<Enrolment> {
  const { secret } = await getPending(call);
  return { secret, otpauthUrl: enrolmentUrlOf(call.viewer.actor, secret) };
}

/**
 * Has a secret count from now on, instead of an earlier one. Every other session of the caller ends, and the one that
 * asks counts as opened with a second factor.
 */
export async function confirmSecondFactor(call: Call, input: { readonly code: string }): Promise<RecoveryCodes> {
  const staff = call.viewer.actor;
  const attempt = await requireAttempt(call, staff);
  const pending = await getPending(call);
  const code = readCopied(input.code);
  const used = isTimeCode(code) ? stepOf(pending.secret, code, call.now(), null) : null;
  if (used === null) throw refuseWrongCode();
  const at = call.now();
  const changed = guard`
    update staff_second_factor set sealed = pending, confirmed_at = ${at}, last_step = ${used}, pending = null,
      pending_at = null
    where staff = ${staff} and pending = ${pending.sealed} returning staff as email`;
  const renewed = step('renewed')`
    update staff u set generation = u.generation + 1, updated_at = ${at} from ${changed} c where u.email = c.email
    returning u.email, u.generation`;
  const codes = makeRecoveryCodes();
  const operated = {
    action: 'staff.enrol_second_factor',
    subject: staff,
    before: null,
    after: { second_factor: true },
    reason: null,
  };
  const done = await commit(call, {
    subject: staff,
    guard: changed,
    steps: [
      ...endOtherSessions(call, renewed, true),
      notifyOfChange(call, changed, 'enrolled'),
      ...replaceRecoveryCodes(call, codes, changed),
      ...forgive(call, attempt, changed),
    ],
    operated,
  });
  if (!done) throw refuseNotEnrolled();
  return { codes };
}

/** New recovery codes to replace those that a process made and could not show before it died. */
export async function confirmAgain(call: Call): Promise<RecoveryCodes> {
  const codes = makeRecoveryCodes();
  const holder = step('holder')`
    select staff as email from staff_second_factor where staff = ${call.viewer.actor} and confirmed_at is not null`;
  await call.db.row(statement(sql`select 1 from ${holder}`, replaceRecoveryCodes(call, codes, holder)));
  return { codes };
}

/** Takes a code or the answer of a passkey as used up, before anything else is done; refuses what counts no more. */
export async function requireProof(call: Call, factor: SecondFactor, shown: Shown): Promise<void> {
  const attempt = await requireAttempt(call, factor.staff);
  const proof = await proveSecondFactor(call, factor, shown, attempt);
  const steps = [...forgive(call, attempt, proof), forgetWrongCodes(proof)];
  const used = await call.db.row(statement(sql`select 1 from ${proof}`, steps));
  if (!used) throw await refuseProof(call, factor.staff);
}

interface Pending {
  readonly sealed: Buffer;
  readonly secret: string;
}

async function getPending({ db, vault, viewer, now }: Call): Promise<Pending> {
  const row = await db.row<{ sealed: Buffer }>(sql`
    select pending as sealed from staff_second_factor
    where staff = ${viewer.actor} and pending_at > ${new Date(now().getTime() - PENDING_MS)}`);
  if (!row) throw refuseNotEnrolled();
  const secret = vault.open('second_factor', viewer.actor, row.sealed);
  if (secret === null)
    throw new Error(`What ${viewer.actor} enrols is sealed under a key that this rail does not have`);
  return { sealed: row.sealed, secret };
}

/** The refusal where there is no second factor, or none that waits. */
export function refuseNotEnrolled() {
  return refuseBecause('second_factor_not_enrolled', 'There is nothing to confirm or remove: enrol first', 'code');
}
