import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/kernel/time.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { rollOverTerms } from '../../../src/accounts/integrators/sign-up/terms.ts';
import { signUp, someEmail } from '../../harness/people/accounts.ts';
import { type Mailbox, openMailbox } from '../../harness/people/mailbox.ts';
import { capture } from '../../harness/processes.ts';
import { TestRail } from '../../harness/rail.ts';
import { tally } from '../../harness/chaos/tally.ts';
import { timed } from '../../harness/run/moments.ts';

let mailbox: Mailbox;
let rail: TestRail;

beforeAll(async () => {
  mailbox = await openMailbox();
  rail = new TestRail({
    SMTP_URL: mailbox.url,
    JOBS: 'on',
    MAIL_FROM: 'Rail <rail@example.org>',
    BASE_URL: 'https://rail.example.org',
  });
  await rail.start();
});
afterAll(async () => {
  await rail.stop();
  await mailbox.close();
});

const verify = (integrator_id: unknown, otp: unknown) =>
  rail.ask('/v1/signup/verify', { body: { integrator_id, otp } });
const resend = (integrator_id: unknown) => rail.ask('/v1/signup/resend-otp', { body: { integrator_id } });

/** A sign-up under way, as if its last mail had gone out a while ago. */
async function pending(secondsAgo = 61): Promise<{ id: string; email: string; code: string }> {
  const email = someEmail();
  const { data } = await signUp(rail, email);
  const code = await mailbox.codeFor(email);
  await passed(data.integrator_id, secondsAgo);
  return { id: data.integrator_id, email, code };
}

function passed(id: string, seconds: number) {
  return rail.rows(
    sql`update integrator set otp_sent_at = otp_sent_at - ${seconds} * interval '1 second' where code = ${id}`,
  );
}

const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('GET /v1/signup/tos', () => {
  it('200: version, summary and where the document is', async () => {
    const { status, data } = await rail.ask('/v1/signup/tos');
    expect(status).toBe(200);
    expect(data).toEqual({
      version: '2026-11',
      summary: expect.stringMatching(/\w+/),
      document_url: 'https://rail.example.org/terms',
    });
    expect((await rail.ask('/terms')).text).toContain('version 2026-11');
  });
});

describe('POST /v1/signup', () => {
  it('200: opens an account that waits for its code, which is mailed in text and HTML', async () => {
    const email = someEmail();
    const signedUp = await timed(rail, () =>
      signUp(rail, email.toUpperCase(), { organisation: 'Ministère des Finances & Co.' }),
    );
    const { status, data } = signedUp.answer;
    expect(status).toBe(200);
    expect(data).toEqual({
      integrator_id: expect.stringMatching(/^MINISTERE-DES-FINANCES-CO-[A-Z2-9]{6}$/),
      message: expect.stringContaining('six-digit code'),
      expires_at_iso: expect.any(String),
      sends_remaining_today: 4,
    });
    signedUp.expectTaken(data.expires_at_iso, 15 * 60_000);
    const letter = await mailbox.letterTo(email);
    expect(letter).toMatchObject({
      from: { address: 'rail@example.org', name: 'Rail' },
      subject: 'Your Revenue Rail code',
    });
    const code = /\d{6}/.exec(letter.text!)![0];
    expect(letter.html).toContain(code);
    for (const form of [letter.text, letter.html]) expect(form).toContain(data.integrator_id);
    const [row] = await rail.rows(
      sql`select status, email_verified as verified, otp_hash as hash from integrator where code = ${data.integrator_id}`,
    );
    expect(row).toMatchObject({ status: 'PendingEmail', verified: false });
    expect((row as { hash: Buffer }).hash).toHaveLength(32);
  });

  it('200: ignores what a client has no business to say of itself', async () => {
    const body = `{"full_name": "X", "email": "${someEmail()}", "organisation": "X", "tos_accepted_version": "2026-11", "__proto__": {"status": "Active"},
      "constructor": {"prototype": {"tier": "live"}}, "status": "Active", "email_verified": true, "tier": "live", "scopes": ["oversight.read"], "code": "ROOT"}`;
    const { status, data } = await rail.ask('/v1/signup', { body });
    expect(status).toBe(200);
    const [row] = await rail.rows(
      sql`select status, email_verified, tier, scopes from integrator where code = ${data.integrator_id}`,
    );
    expect(row).toEqual({
      status: 'PendingEmail',
      email_verified: false,
      tier: 'sandbox',
      scopes: ['citizens.read', 'assessments.write', 'payments.initiate'],
    });
    expect(({} as Record<string, unknown>)['status']).toBeUndefined();
  });

  it('409 duplicate_email: an address that is registered, in any case of letters', async () => {
    const { email } = await pending();
    expect(await signUp(rail, email.toUpperCase())).toMatchObject({ status: 409, code: 'duplicate_email' });
    expect(await rail.count(sql`select 1 from integrator where contact_email = ${email}`)).toBe(1);
  });

  it('409: all but one of ten sign-ups of an address at a time', async () => {
    const email = someEmail();
    const answers = await Promise.all(Array.from({ length: 10 }, () => signUp(rail, email)));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: 9 });
  });

  it.each([
    ['full_name', undefined],
    ['full_name', '  '],
    ['full_name', 'x'.repeat(201)],
    ['full_name', { $ne: null }],
    ['email', undefined],
    ['email', 'nobody'],
    ['email', 'a@b@example.com'],
    ['email', 'a@example.com\r\nBcc: b@example.com'],
    ['email', `${'x'.repeat(250)}@example.com`],
    ['email', ['a@example.com']],
    ['organisation', ''],
    ['organisation', 'a\0b'],
    ['tos_accepted_version', undefined],
    ['tos_accepted_version', '2020-01'],
  ])('422: %s is %j', async (name, value) => {
    const count = () => rail.count(sql`select 1 from integrator`);
    const before = await count();
    const answer = await signUp(rail, someEmail(), { [name]: value });
    expect(answer).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(answer.json.error.details).toMatchObject([{ path: name }]);
    expect(await count()).toBe(before);
  });
});

describe('POST /v1/signup/verify', () => {
  it('200: activates the account and shows its first key, which holds exactly the standard scopes, once', async () => {
    const { id, code } = await pending();
    const { status, data } = await verify(id, code);
    expect(status).toBe(200);
    expect(data).toEqual({
      integrator_id: id,
      plaintext: expect.stringMatching(/^rail_sandbox_[0-9A-Za-z]{38}$/),
      key: {
        name: expect.stringMatching(/^KEY-\d{4}-\d{6}$/),
        label: 'First key',
        prefix: 'rail_sandbox_',
        last4: data.plaintext.slice(-4),
        status: 'active',
        scopes: ['citizens.read', 'assessments.write', 'payments.initiate'],
        supervises: [],
        counters: [],
        agencies: [],
        operations: [],
        origins: [],
        manages_account: true,
        created_at: expect.any(String),
        updated_at: data.key.created_at,
        last_used_at: null,
        expires_at: null,
        revoked_at: null,
        revoked_reason: null,
      },
    });
    const [row] = await rail.rows(
      sql`select status, email_verified as verified, otp_hash as hash from integrator where code = ${id}`,
    );
    expect(row).toEqual({ status: 'Active', verified: true, hash: null });
    expect((await rail.ask('/v1/assessments', { key: data.plaintext })).status).toBe(200);
    expect(
      (await rail.ask('/v1/citizens/register', { key: data.plaintext, body: { nin: 'CM12345678ABCD' } })).status,
    ).toBe(403);
  });

  it('401 invalid_otp: a wrong code, or one that has expired', async () => {
    const { id, code } = await pending();
    expect(await verify(id, other(code))).toMatchObject({ status: 401, code: 'invalid_otp' });
    await rail.rows(sql`update integrator set otp_expires_at = now() - interval '1 second' where code = ${id}`);
    expect(await verify(id, code)).toMatchObject({ status: 401, code: 'invalid_otp' });
    await rail.rows(sql`update integrator set otp_expires_at = now() + interval '1 second' where code = ${id}`);
    expect((await verify(id, code)).status).toBe(200);
  });

  it('401: the code of another sign-up', async () => {
    const [a, b] = [await pending(), await pending()];
    if (a.code !== b.code) expect(await verify(a.id, b.code)).toMatchObject({ status: 401, code: 'invalid_otp' });
  });

  it('404: no such sign-up', async () => {
    expect(await verify('NOBODY-ABCDEF', '123456')).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('409 otp_not_issued: a code that was used', async () => {
    const { id, code } = await pending();
    expect((await verify(id, code)).status).toBe(200);
    expect(await verify(id, code)).toMatchObject({ status: 409, code: 'otp_not_issued' });
    expect(await rail.count(sql`select 1 from api_key where integrator = ${id}`)).toBe(1);
  });

  it.each(['12345', '1234567', '12345a', '', 'null', '12 3456 7'])('422: %j is no code', async (otp) => {
    const { id } = await pending();
    expect(await verify(id, otp)).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(await rail.count(sql`select 1 from integrator where code = ${id} and otp_attempts_today > 0`)).toBe(0);
  });

  it('422: nothing, or another type', async () => {
    expect((await rail.ask('/v1/signup/verify', { body: {} })).json.error.details).toMatchObject([
      { path: 'integrator_id' },
      { path: 'otp' },
    ]);
    expect((await verify('X', 123_456)).status).toBe(422);
  });

  it('429 after 5 wrong codes, which void the right one until midnight UTC and a new code', async () => {
    const { id, code } = await pending();
    for (let i = 0; i < 5; i++) expect((await verify(id, other(code))).status).toBe(401);
    const untilMidnight = () => Math.ceil((DAY_MS - (rail.rail.now().getTime() % DAY_MS)) / 1_000);
    const most = untilMidnight();
    const answer = await verify(id, code);
    expect(answer).toMatchObject({ status: 429, code: 'rate_limited' });
    const wait = Number(answer.headers.get('retry-after'));
    expect(wait).toBeLessThanOrEqual(most);
    expect(wait).toBeGreaterThanOrEqual(untilMidnight());
    expect(answer.headers.get('ratelimit-policy')).toBe('"otp-attempts";q=5;w=86400');
    expect(answer.headers.get('ratelimit')).toBe(`"otp-attempts";r=0;t=${wait}`);
    expect((await resend(id)).status).toBe(429);
    await rail.rows(sql`update integrator set otp_attempts_day = otp_attempts_day - 1 where code = ${id}`);
    expect(await verify(id, code)).toMatchObject({ status: 409, code: 'otp_not_issued' });
    expect((await resend(id)).status).toBe(200);
  });
});

describe('POST /v1/signup/resend-otp', () => {
  it('200: a new code, after which the one before no longer counts', async () => {
    const { id, email, code } = await pending();
    await rail.rows(sql`update integrator set otp_expires_at = now() where code = ${id}`);
    const resent = await timed(rail, () => resend(id));
    const { status, data } = resent.answer;
    expect(status).toBe(200);
    expect(data).toEqual({
      integrator_id: id,
      message: expect.any(String),
      expires_at_iso: expect.any(String),
      sends_remaining_today: 3,
    });
    resent.expectTaken(data.expires_at_iso, 15 * 60_000);
    const next = await mailbox.codeFor(email, 1);
    if (next !== code) expect((await verify(id, code)).status).toBe(401);
    expect((await verify(id, next)).status).toBe(200);
  });

  it('404: no such sign-up; 409: one that is verified; 422: nothing', async () => {
    expect(await resend('NOBODY-ABCDEF')).toMatchObject({ status: 404, code: 'not_found' });
    const { id, code } = await pending();
    await verify(id, code);
    expect(await resend(id)).toMatchObject({ status: 409, code: 'otp_not_issued' });
    expect((await rail.ask('/v1/signup/resend-otp', { body: {} })).status).toBe(422);
  });

  it('429: before a minute is over, and after 5 mails in a UTC day, that of the sign-up among them', async () => {
    const { id } = await pending(0);
    const early = await resend(id);
    expect(early).toMatchObject({ status: 429, code: 'rate_limited' });
    const wait = Number(early.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(50);
    expect(wait).toBeLessThanOrEqual(60);
    for (let left = 3; left >= 0; left--) {
      await passed(id, 61);
      expect((await resend(id)).data.sends_remaining_today).toBe(left);
    }
    await passed(id, 61);
    const late = await resend(id);
    expect(late.status).toBe(429);
    expect(Number(late.headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
    expect(late.headers.get('ratelimit-policy')).toBe('"otp";q=5;w=86400');
    await rail.rows(sql`update integrator set otp_sends_day = otp_sends_day - 1 where code = ${id}`);
    expect((await resend(id)).data.sends_remaining_today).toBe(4);
  });

  it('429: all but one of ten at a time', async () => {
    const { id } = await pending();
    const answers = await Promise.all(Array.from({ length: 10 }, () => resend(id)));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 429: 9 });
    expect(await rail.count(sql`select 1 from mail where integrator = ${id}`)).toBe(2);
  });
});

describe('a new version of the terms', () => {
  it('leaves sign-ups under way alone until it is rolled over; then they have to sign up again, and can', async () => {
    const [early, late] = [await pending(), await pending()];
    await rail.rows(sql`update integrator set tos_version = '2025-01' where code in (${early.id}, ${late.id})`);
    expect((await verify(early.id, early.code)).status).toBe(200);
    expect(await rollOverTerms(rail.rail)).toBe(1);
    const refused = await verify(late.id, late.code);
    expect(refused).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(refused.json.error.message).toContain('2026-11');
    expect((await resend(late.id)).status).toBe(422);
    const again = await signUp(rail, late.email);
    expect(again.status).toBe(200);
    expect(again.data.sends_remaining_today).toBe(3);
    expect((await verify(late.id, late.code)).status).toBe(404);
    expect((await verify(again.data.integrator_id, await mailbox.codeFor(late.email, 1))).status).toBe(200);
    const { data } = await rail.ask('/v1/signup/tos');
    expect(data.version).toBe('2026-11');
    expect((await verify(early.id, early.code)).code).toBe('otp_not_issued');
  });

  it('is rolled over by npm run admin -- tos:rollover', { tags: 'long' }, async () => {
    const { id, code } = await pending();
    const env = { DATABASE_URL: rail.url, DATA_DIR: rail.dataDir, TOS_VERSION: '2099-01' };
    const { version, voided } = JSON.parse(await capture('src/app/cli/admin.ts', ['tos:rollover', '--json'], env));
    expect([version, voided > 0]).toEqual(['2099-01', true]);
    expect((await verify(id, code)).status).toBe(422);
    expect(JSON.parse(await capture('src/app/cli/admin.ts', ['tos:rollover', '--json'], env)).voided).toBe(0);
  });
});
