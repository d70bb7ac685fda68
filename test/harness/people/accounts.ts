import { randomUUID } from 'node:crypto';
import { type Sql, sql } from '../../../src/platform/database/sql.ts';
import type { Answer, Ask, TestRail } from '../rail.ts';

export interface Account {
  readonly integrator: string;
  readonly email: string;
  /** Its first key. */
  readonly key: string;
  readonly keyName: string;
}

export function someEmail(): string {
  return `${randomUUID()}@example.com`;
}

export async function signUp(rail: TestRail, email = someEmail(), more: object = {}): Promise<Answer> {
  const { data } = await rail.ask('/v1/signup/tos');
  return rail.ask('/v1/signup', {
    body: { full_name: 'Jo Doe', email, organisation: 'Test Office', tos_accepted_version: data.version, ...more },
  });
}

/** An account that was signed up and verified; on a rail that reveals codes. */
export async function makeAccount(rail: TestRail): Promise<Account> {
  const email = someEmail();
  const { integrator_id: integrator, dev_otp: otp } = (await signUp(rail, email)).data;
  const { data } = await rail.ask('/v1/signup/verify', { body: { integrator_id: integrator, otp } });
  return { integrator, email, key: data.plaintext, keyName: data.key.name };
}

/** The token of a magic link; on a rail that reveals links. */
export async function makeToken(rail: TestRail, email: string): Promise<string> {
  const { data, text } = await rail.ask('/v1/login/request', { body: { email } });
  if (!data?.dev_consume_url) throw new Error(text);
  return new URL(data.dev_consume_url).searchParams.get('token')!;
}

export function consume(rail: TestRail, token: string, headers: Ask['headers'] = {}): Promise<Answer> {
  return rail.ask(`/v1/login/consume?token=${token}`, { headers });
}

/** The session cookie that an answer sets, as a request sends it; null where it sets none. */
export function cookieOf(answer: Answer): string | null {
  const [line] = answer.headers.getSetCookie();
  const [pair] = line?.split(';') ?? [];
  return pair && !pair.endsWith('=') ? pair : null;
}

/** The cookie of a new session of an account; on a rail that reveals links. */
export async function signIn(rail: TestRail, { email }: Pick<Account, 'email'>): Promise<string> {
  const answer = await consume(rail, await makeToken(rail, email));
  const cookie = cookieOf(answer);
  if (!cookie) throw new Error(`${answer.status} ${answer.headers.get('location')}`);
  return cookie;
}

/** Gives accounts a default endpoint that nobody has asked for, where they have none: those that a condition on their columns names. */
export async function giveEndpoint(rail: TestRail, which: Sql, url: Sql | string): Promise<void> {
  await rail.rows(sql`
    insert into webhook_endpoint (name, integrator, place, label, url, created_at, updated_at)
    select 'EP-2020-' || abs(hashtext(code)::bigint), code, 0, 'default', ${url}, now(), now() from integrator where ${which}
    on conflict (integrator, place) do nothing`);
}
