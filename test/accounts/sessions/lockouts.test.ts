import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { addStaff } from '../../../src/identity/members/add.ts';
import { consume, someEmail } from '../../harness/people/accounts.ts';
import { PASSWORD, logIn } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail({ DEV_REVEAL: 'on', TRUST_PROXY: '1' });

const HOME = { 'x-forwarded-for': '203.0.113.1' };
const AWAY = { 'x-forwarded-for': '203.0.113.2' };
const from = (number: number) => ({ 'x-forwarded-for': `198.51.100.${number}` });

const form = (email: string) => ({
  full_name: 'Jo Doe',
  email,
  organisation: 'Office',
  tos_accepted_version: '2026-11',
});
const signUp = (email: string, headers: Record<string, string>) =>
  rail.ask('/v1/signup', { body: form(email), headers });
const verify = ({ data }: { data: { integrator_id: string; dev_otp: string } }, headers: Record<string, string>) =>
  rail.ask('/v1/signup/verify', { body: { integrator_id: data.integrator_id, otp: data.dev_otp }, headers });
const askLink = (email: string, headers: Record<string, string>) =>
  rail.ask('/v1/login/request', { body: { email }, headers });

/** As if the last minute had passed for all who asked. */
const minutePassed = () => rail.rows(sql`update sign_in_quota set last_sent_at = last_sent_at - interval '61 seconds'`);

async function someone(): Promise<string> {
  const email = `clerk-${someEmail()}`;
  await addStaff(rail.rail, { email, name: 'A clerk', roles: ['clerk'], password: PASSWORD });
  return email;
}

describe('wrong passwords of a stranger', () => {
  it('lock the stranger out, and nobody who asks from elsewhere', async () => {
    const email = await someone();
    for (let i = 0; i < 6; i++) expect((await logIn(rail, email, 'wrong', AWAY)).status).toBe(401);
    expect((await logIn(rail, email, PASSWORD, AWAY)).status).toBe(401);
    expect((await logIn(rail, email, PASSWORD, HOME)).status).toBe(200);
  });

  it('are counted for all networks together as well: 50 lock an address but for those that it is known to use', async () => {
    const email = await someone();
    expect((await logIn(rail, email, PASSWORD, HOME)).status).toBe(200);
    for (let i = 0; i < 2; i++) await logIn(rail, email, 'wrong', from(i));
    const everywhere = rail.rail.vault.hash('address', `staff\n${email}`);
    expect(
      await rail.rows(
        sql`update login_failures set failures = 48 where address = ${everywhere} and failures = 2 returning 1`,
      ),
    ).toHaveLength(1);
    for (let i = 2; i < 4; i++) await logIn(rail, email, 'wrong', from(i));
    expect((await logIn(rail, email, PASSWORD, AWAY)).status).toBe(401);
    expect((await logIn(rail, email, PASSWORD, HOME)).status).toBe(200);
    expect((await logIn(rail, email, PASSWORD, AWAY)).status).toBe(401);
    rail.advance(15.1 / 60);
    expect((await logIn(rail, email, PASSWORD, AWAY)).status).toBe(200);
    rail.advance(-15.1 / 60);
  });
});

describe('links that a stranger asks for', () => {
  it('use up the quota of the stranger, and keep two mails a day for networks that the account is known to use', async () => {
    const email = someEmail();
    const account = await signUp(email, HOME);
    expect((await verify(account, HOME)).status).toBe(200);
    const unknown = someEmail();
    const seen = [];
    for (let i = 0; i < 5; i++) {
      const [known, other] = [await askLink(email, AWAY), await askLink(unknown, AWAY)];
      seen.push([known.status, other.status, 'dev_consume_url' in known.data]);
      expect(known.data.message).toBe(other.data.message);
      await minutePassed();
    }
    expect(seen).toEqual([true, true, true, false, false].map((mailed) => [200, 200, mailed]));
    for (const address of [email, unknown])
      expect(await askLink(address, AWAY)).toMatchObject({ status: 429, code: 'rate_limited' });
    const own = await askLink(email, HOME);
    expect(own.data.dev_consume_url).toEqual(expect.any(String));
    await minutePassed();
    expect((await askLink(email, HOME)).data.dev_consume_url).toEqual(expect.any(String));
    await minutePassed();
    expect(await askLink(email, HOME)).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(
      await rail.count(
        sql`select 1 from mail m join integrator i on i.code = m.integrator where m.kind = 'sign_in' and i.contact_email = ${email}`,
      ),
    ).toBe(5);
  });

  it('a second before make the owner wait for the mail at most, not for the answer', async () => {
    const email = someEmail();
    await verify(await signUp(email, HOME), HOME);
    expect((await askLink(email, AWAY)).status).toBe(200);
    const own = await askLink(email, HOME);
    expect(own.status).toBe(200);
    const delays = await rail.rows<{ seconds: number }>(sql`
      select extract(epoch from run_at - now())::int as seconds from graphile_worker.jobs
      where task_identifier = 'send_mail' order by id desc limit 1`);
    expect(delays[0]!.seconds).toBeGreaterThan(50);
    expect(delays[0]!.seconds).toBeLessThanOrEqual(60);
  });

  it('do not matter to where a link was followed from: that is known from then on', async () => {
    const email = someEmail();
    await verify(await signUp(email, HOME), HOME);
    const token = new URL((await askLink(email, AWAY)).data.dev_consume_url).searchParams.get('token')!;
    expect((await consume(rail, token, AWAY)).headers.get('location')).toBe('/dashboard');
    for (let i = 0; i < 4; i++) {
      await minutePassed();
      expect((await askLink(email, AWAY)).data.dev_consume_url).toEqual(expect.any(String));
    }
  });
});

describe('the sign-up of a stranger with an address', () => {
  it('does not keep its owner out, who verifies their own; the stranger’s is gone then', async () => {
    const email = someEmail();
    const strange = await signUp(email, AWAY);
    expect(await signUp(email, AWAY)).toMatchObject({ status: 409, code: 'duplicate_email' });
    const own = await signUp(email, HOME);
    expect(own.status).toBe(200);
    expect((await verify(own, HOME)).status).toBe(200);
    expect((await verify(strange, AWAY)).status).toBe(404);
    for (const headers of [HOME, AWAY, from(1)])
      expect(await signUp(email, headers)).toMatchObject({ status: 409, code: 'duplicate_email' });
    expect(await rail.count(sql`select 1 from integrator where contact_email = ${email}`)).toBe(1);
  });

  it('is one of three at most that wait for an address', async () => {
    const email = someEmail();
    const answers = [];
    for (let i = 0; i < 5; i++) answers.push((await signUp(email, from(i))).status);
    expect(answers).toEqual([200, 200, 200, 409, 409]);
  });

  it('is not verified beside another: one of two at a time', async () => {
    const email = someEmail();
    const waiting = [await signUp(email, HOME), await signUp(email, AWAY)];
    const answers = await Promise.all(waiting.map((one) => verify(one as never, HOME)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 404, 409]).toContain(status);
  });
});
