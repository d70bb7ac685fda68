import { randomUUID } from 'node:crypto';
import { generateSync } from 'otplib';
import { type Caller, type Named, callAs } from './caller.ts';
import { type Environment, runAdmin } from './commands.ts';
import { findInMail } from './waiting.ts';

/** Somebody who signed up. */
export interface Account {
  readonly integrator: string;
  readonly email: string;
  /** Their first key. */
  readonly key: string;
}

/** Opens an account, by the code that is mailed to it. */
export async function signUp(nobody: Caller, mailFolder: string): Promise<Account> {
  const email = `demo-${randomUUID()}@example.com`;
  const { version } = await nobody.get<{ version: string }>('/v1/signup/tos');
  const asked = { full_name: 'Demo', email, organisation: 'Demo', tos_accepted_version: version };
  const { integrator_id: integrator, dev_otp: revealed } = await nobody.post<{
    integrator_id: string;
    dev_otp?: string;
  }>('/v1/signup', asked);
  const otp = revealed ?? (await findInMail(mailFolder, email, /code is (\d{6})/));
  const verified = { integrator_id: integrator, otp };
  const { plaintext: key } = await nobody.post<{ plaintext: string }>('/v1/signup/verify', verified);
  return { integrator, email, key };
}

/** Somebody with an operator's key of an account, which may do what standard keys may not. */
export async function openAsOperator(base: string, integrator: string, scopes: string): Promise<Caller> {
  const command = ['key:issue', '--integrator', integrator, '--scopes', scopes];
  const { plaintext } = await runAdmin<{ plaintext: string }>(command);
  return callAs(base, { authorization: `Bearer ${plaintext}` });
}

/** A member of staff who is logged in. */
export interface Member {
  readonly email: string;
  readonly cookie: string;
}

/** Makes a member of staff at the command line, and logs them in, with the second factor if their role requires one. */
export async function logInAs(base: string, role: string, agency?: string, env?: Environment): Promise<Member> {
  const email = `${role}-${randomUUID().slice(0, 8)}@agency.example`;
  const bound = agency === undefined ? [] : ['--agency', agency];
  const command = ['staff:add', '--email', email, '--name', `The ${role}`, '--role', role, ...bound];
  const { password } = await runAdmin<{ password: string }>(command, env);
  process.stdout.write(`POST /v1/work/login {"email":"${email}", …}\n`);
  const response = await fetch(`${base}/v1/work/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { data } = (await response.json()) as { data: { second_factor_required?: boolean } };
  if (!response.ok) throw new Error(`${email} could not log in`);
  const cookie = response.headers.getSetCookie()[0]!.split(';')[0]!;
  if (data.second_factor_required) {
    const caller = callAs(base, { cookie }, 'some');
    const { secret } = await caller.post<{ secret: string }>('/v1/work/second-factor:enrol', {});
    await caller.post('/v1/work/second-factor:confirm', { code: generateSync({ secret }) });
  }
  return { email, cookie };
}

/** The national number of somebody whom nobody else is. */
export function makeNin(): string {
  return `CM${randomUUID().replace(/\W/g, '').slice(0, 11).toUpperCase()}A`;
}

/** Has an operator's key register a citizen, and answers their docname. */
export async function registerSomebody(base: string, integrator: string): Promise<string> {
  const operator = await openAsOperator(base, integrator, 'citizens.read,citizens.write');
  const asked = { nin: makeNin(), mda: 'URA' };
  const { citizen } = await operator.post<{ citizen: Named }>('/v1/citizens/register', asked);
  return citizen.name;
}
