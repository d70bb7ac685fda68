import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { sendMail } from '../../src/platform/mail/send.ts';
import { commandLine } from '../../src/platform/access/viewer.ts';
import { callOf } from '../../src/platform/call/call.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { cookieOf } from '../harness/people/accounts.ts';
import { enrol } from '../harness/people/second-factor.ts';
import { type Mailbox, openMailbox } from '../harness/people/mailbox.ts';
import { PASSWORD, logIn, mailedToken, makeStaff } from '../harness/people/staff.ts';
import { type Answer, testRail } from '../harness/rail.ts';

let mailbox: Mailbox;
const rail = testRail(async () => {
  mailbox = await openMailbox();
  return { TRUST_PROXY: '1', SMTP_URL: mailbox.url };
});
afterAll(() => mailbox.close());
const NEXT = 'four unrelated words sail';

const reasonOf = ({ json }: Answer) => json.error?.details?.[0]?.code;
const change = (current_password: string, new_password: string) => ({ current_password, new_password });
const request = (email: string, from = '203.0.113.1') =>
  rail.ask('/v1/work/password-reset:request', { body: { email }, headers: { 'x-forwarded-for': from } });
const complete = (token: string, password = NEXT) =>
  rail.ask('/v1/work/password-reset:complete', { body: { token, password } });
const resets = (email: string) =>
  rail.count(sql`select 1 from mail where staff = ${email} and kind = 'staff/password_reset'`);

describe('POST /v1/work/password', () => {
  it('200: the new password counts, other sessions end, and the one that asks goes on', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const other = cookieOf(await logIn(rail, clerk.email))!;
    expect((await clerk.post('/v1/work/password', change(PASSWORD, NEXT))).status).toBe(200);
    expect((await clerk.ask('/v1/work/mdas')).status).toBe(200);
    expect((await rail.ask('/v1/work/mdas', { headers: { cookie: other } })).status).toBe(401);
    expect((await logIn(rail, clerk.email)).status).toBe(401);
    expect((await logIn(rail, clerk.email, NEXT)).status).toBe(200);
    const letters = await rail.rows<{ kind: string }>(sql`select kind from mail where staff = ${clerk.email}`);
    expect(letters).toEqual([{ kind: 'staff/login_changed' }]);
    const [audited] = await rail.rows<object>(sql`
      select actor, before, after from operator_audit where subject = ${clerk.email} and action = 'staff.change_password'`);
    expect(audited).toEqual({ actor: clerk.email, before: null, after: null });
  });

  it('422 for one that is weak or the same; 401 for a wrong current one, which locks after five; 401 for nobody', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    for (const [next, code] of [
      ['short', 'password_too_short'],
      ['password12345', 'password_too_weak'],
      [clerk.email, 'password_too_weak'],
      [PASSWORD, undefined],
    ] as const) {
      const answer = await clerk.post('/v1/work/password', change(PASSWORD, next));
      expect([answer.status, answer.json.error.details?.[0].code], next).toEqual([422, code]);
    }
    expect((await clerk.post('/v1/work/password', { current_password: PASSWORD })).status).toBe(422);
    expect((await rail.ask('/v1/work/password', { body: change(PASSWORD, NEXT) })).status).toBe(401);
    const foreign = await clerk.post('/v1/work/password', change(PASSWORD, NEXT), { origin: 'https://evil.example' });
    expect(foreign.status).toBe(401);
    expect((await logIn(rail, clerk.email)).status).toBe(200);
    for (let i = 0; i < 5; i++)
      expect(await clerk.post('/v1/work/password', change('wrong', NEXT))).toMatchObject({
        status: 401,
        code: 'invalid_credentials',
      });
    expect((await clerk.post('/v1/work/password', change(PASSWORD, NEXT))).status).toBe(401);
  });
});

describe('POST /v1/work/password-reset:request and :complete', () => {
  it('mails a link to the address alone, by a job, and the letter says until when it works', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    await request(clerk.email);
    const [job] = await rail.rows<{ id: string }>(sql`
      select m.id from mail m join graphile_worker.jobs j on j.key = 'mail:' || m.id where m.staff = ${clerk.email}`);
    expect(await sendMail(callOf(rail.rail, commandLine, 'a job'), job!.id)).toBe(1);
    const link = new URL(await mailbox.linkFor(clerk.email));
    expect(link.origin + link.pathname).toBe(`${rail.rail.origin}/work/password-reset`);
    expect((await mailbox.letterTo(clerk.email)).text).toMatch(/^Hello A clerk,[^]*expires at \d{4}-\d\d-\d\d/);
    expect((await complete(link.searchParams.get('token')!)).status).toBe(200);
  });

  it('200: a link by mail sets a new password once, and ends every session; a second factor stays', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const app = await enrol(rail, clerk.cookie);
    await request(` ${clerk.email.toUpperCase()} `);
    const token = await mailedToken(rail, clerk.email, 'password_reset');
    expect((await complete(token, 'password12345')).status).toBe(422);
    expect((await complete(token)).status).toBe(200);
    expect(reasonOf(await complete(token))).toBe('link_not_valid');
    expect((await clerk.ask('/v1/work/mdas')).status).toBe(401);
    expect(reasonOf(await logIn(rail, clerk.email, NEXT))).toBe('second_factor_code_required');
    const body = { email: clerk.email, password: NEXT, code: app.recoveryCodes[0] };
    expect((await rail.ask('/v1/work/login', { body })).status).toBe(200);
  });

  it('is answered alike, whoever has the address, and mails nobody who cannot log in', async () => {
    const [clerk, gone] = [await makeStaff(rail, 'clerk'), await makeStaff(rail, 'clerk')];
    await rail.rows(sql`update staff set active = false, deactivated_at = now() where email = ${gone.email}`);
    const answers = [];
    for (const email of [clerk.email, gone.email, `${randomUUID()}@agency.example`]) answers.push(await request(email));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect([await resets(clerk.email), await resets(gone.email)]).toEqual([1, 0]);
    expect((await request('nobody')).status).toBe(422);
    const { plaintext: key } = await rail.key('assessments.write');
    const refused = await rail.ask('/v1/work/password-reset:request', { key, body: { email: clerk.email } });
    expect(refused.status).toBe(401);
  });

  it('mails no more than three at a time, and no more than three a day for strangers', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    await Promise.all(Array.from({ length: 8 }, () => request(clerk.email)));
    expect(await resets(clerk.email)).toBe(3);
    rail.advance(0.3);
    for (let i = 0; i < 3; i++) await request(clerk.email, `198.51.100.${i}`);
    expect(await resets(clerk.email)).toBe(3);
    const known = { 'x-forwarded-for': '203.0.113.9' };
    expect((await logIn(rail, clerk.email, PASSWORD, known)).status).toBe(200);
    await request(clerk.email, '203.0.113.9');
    expect(await resets(clerk.email)).toBe(4);
    rail.advance(-0.3);
  });

  it('422: the link lapses after an hour, and with the next one', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    await request(clerk.email);
    const first = await mailedToken(rail, clerk.email, 'password_reset');
    rail.advance(1 / 60);
    await request(clerk.email);
    expect(reasonOf(await complete(first))).toBe('link_not_valid');
    rail.advance(1.01);
    expect(reasonOf(await complete(await mailedToken(rail, clerk.email, 'password_reset')))).toBe('link_not_valid');
    rail.advance(-1.01 - 1 / 60);
  });
});
