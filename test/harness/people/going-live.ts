import { hashOtp } from '../../../src/accounts/integrators/sign-up/otp.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import type { TestRail } from '../rail.ts';
import { type Account, someEmail, signUp } from './accounts.ts';
import { type StaffActor, makeStaff } from './staff.ts';

const OTP = '123456';

/** An account that signed itself up on a live rail, where codes are only mailed: it has a sandbox key. */
export async function makeTrialAccount(rail: TestRail): Promise<Account> {
  const email = someEmail();
  const { integrator_id: integrator } = (await signUp(rail, email)).data;
  await rail.rows(sql`
    update integrator set otp_hash = ${hashOtp(rail.rail.vault, integrator, OTP)} where code = ${integrator}`);
  const { data } = await rail.ask('/v1/signup/verify', { body: { integrator_id: integrator, otp: OTP } });
  return { integrator, email, key: data.plaintext, keyName: data.key.name };
}

/** Has an account go live: it asks, and two operators approve. */
export async function letGoLive(
  rail: TestRail,
  { key }: Pick<Account, 'key'>,
  operator: StaffActor,
  { agencies = ['*'], channels = ['*'] }: { agencies?: readonly string[]; channels?: readonly string[] } = {},
): Promise<void> {
  const { data } = await rail.ask('/v1/me:request-live', { key, body: { agencies, channels } });
  const { status, text, json } = await operator.post(`/v1/ops/live-requests/${data.name}:approve`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  await approveByAnother(rail, json.data.pending_approval.name);
}

/** Has an operator who is independent of all others approve what waits. */
export async function approveByAnother(rail: TestRail, name: string): Promise<StaffActor> {
  const other = await makeStaff(rail, 'admin');
  const { status, text } = await other.post(`/v1/ops/approvals/${name}:approve`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return other;
}
