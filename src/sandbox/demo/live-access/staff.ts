import { randomUUID } from 'node:crypto';
import { generateSync } from 'otplib';
import { type Caller, callAs } from './caller.ts';
import type { LiveRail } from './rail.ts';

export interface Member extends Caller {
  readonly email: string;
}

/** Makes a member of staff at the command line, and logs them in, with the second factor that their role requires. */
export async function logInAs(rail: LiveRail, role: string, agency?: string): Promise<Member> {
  const email = `${role}-${randomUUID().slice(0, 8)}@agency.example`;
  const bound = agency === undefined ? [] : ['--agency', agency];
  const made = await rail.admin(
    'staff:add',
    '--email',
    email,
    '--name',
    `The ${role}`,
    '--role',
    role,
    ...bound,
    '--json',
  );
  const { password } = JSON.parse(made) as { password: string };
  process.stdout.write(`POST /v1/work/login {"email":"${email}", …}\n`);
  const response = await fetch(`${rail.base}/v1/work/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { data } = (await response.json()) as { data: { second_factor_required?: boolean } };
  if (!response.ok) throw new Error(`${email} could not log in`);
  const cookie = response.headers.getSetCookie()[0]!.split(';')[0]!;
  const caller = callAs(rail.base, { cookie });
  if (data.second_factor_required) {
    const { secret } = await caller.post<{ secret: string }>('/v1/work/second-factor:enrol');
    await caller.post('/v1/work/second-factor:confirm', { code: generateSync({ secret }) });
  }
  return { ...caller, email };
}
