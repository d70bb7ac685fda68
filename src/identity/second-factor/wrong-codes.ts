import { raiseAnomalies } from '../../collection/anomalies/raise.ts';
import { hashNetwork } from '../../platform/call/networks.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Step, guard, statement, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { formatDay } from '../../kernel/time.ts';
import { notifyOfChange } from '../staff/notify.ts';

/** Somebody who gives so many wrong codes since the last right one has the password, and not the second factor. */
const WARN_AT = 10;
/** With so many, the second factor is locked: about one guess in 7,000 of three codes that count at a time. */
const LOCK_AT = 50;

/** The rule of the lock, for messages. */
export const FACTOR_LOCK_RULE = `after ${LOCK_AT} wrong codes without a right one it is locked`;

/**
 * Counts a code or the answer of a passkey as wrong, before it is looked at, until it has proved right: however many
 * come at once, no more are looked at than the lock allows. False: the second factor is locked.
 */
export async function countCode({ db }: Call, staff: string): Promise<boolean> {
  const counted = await db.row(sql`
    insert into staff_wrong_codes as w (staff, codes) values (${staff}, 1)
    on conflict (staff) do update set codes = w.codes + 1 where w.codes < ${LOCK_AT} returning 1`);
  return counted !== null;
}

/** Mails a member of staff that somebody has their password, and raises the anomaly, once so many codes were wrong. */
export async function warnOfWrongCodes(call: Call, staff: string): Promise<void> {
  const { db, now } = call;
  const due = sql`staff = ${staff} and codes >= ${WARN_AT} and warned_at is null`;
  if (!(await db.row(sql`select 1 from staff_wrong_codes where ${due}`))) return;
  const at = now();
  const warned = guard`
    update staff_wrong_codes set warned_at = ${at} where ${due} returning staff as email`;
  const raised = await raiseAnomalies(call, warned, [
    {
      kind: 'wrong_codes',
      subject: `${staff}:${formatDay(at)}`,
      mdas: [],
      evidence: { staff, codes: WARN_AT, network: hashNetwork(call).toString('hex') },
    },
  ]);
  await db.row(statement(sql`select 1 from ${warned}`, [notifyOfChange(call, warned, 'wrongCodes'), ...raised]));
  call.work.note();
}

/** The step that forgets the wrong codes of the member of staff whose `email` a step yields. */
export function forgetWrongCodes(proved: Step): Step {
  return step('forgotten_codes')`delete from staff_wrong_codes w using ${proved} p where w.staff = p.email`;
}
