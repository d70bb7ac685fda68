import { request as plainRequest } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { consume, cookieOf, makeAccount, makeToken, signIn, signUp, someEmail } from '../../harness/people/accounts.ts';
import { type Mailbox, openMailbox } from '../../harness/people/mailbox.ts';
import { TestRail } from '../../harness/rail.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { timed } from '../../harness/run/moments.ts';

let mailbox: Mailbox;
let rail: TestRail;

beforeAll(async () => {
  mailbox = await openMailbox();
  rail = new TestRail({ SMTP_URL: mailbox.url, JOBS: 'on', DEV_REVEAL: 'on' });
  await rail.start();
});
afterAll(async () => {
  await rail.stop();
  await mailbox.close();
});

const request = (email: unknown) => rail.ask('/v1/login/request', { body: { email } });
const session = (cookie: string | null) => rail.ask('/v1/session', { headers: { ...(cookie && { cookie }) } });

/** The redirect of a link, requested with headers that only browsers set and `fetch` would replace. */
async function whereTo(token: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  return (await plainRequest(`${rail.origin}/v1/login/consume?token=${token}`, { headers })).headers['location'];
}

describe('POST /v1/login/request', () => {
  it('200: the same body for an address that is active, unknown, unverified or suspended; mail for the first alone', async () => {
    const [active, suspended] = [await makeAccount(rail), await makeAccount(rail)];
    await rail.rows(sql`update integrator set status = 'Suspended' where code = ${suspended.integrator}`);
    const unverified = someEmail();
    await signUp(rail, unverified);
    await mailbox.letterTo(unverified);
    const unknown = someEmail();
    const answers = [];
    for (const email of [unknown, unverified, suspended.email, active.email.toUpperCase()])
      answers.push(await request(email));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ data }) => data.message)).size).toBe(1);
    expect(answers.map(({ data }) => 'dev_consume_url' in data)).toEqual([false, false, false, true]);
    const letter = await mailbox.letterTo(active.email, 1);
    expect(letter.subject).toBe('Sign in to Revenue Rail');
    expect(letter.text).toContain(answers[3]!.data.dev_consume_url);
    expect(letter.html).toContain(answers[3]!.data.dev_consume_url);
    await expect.poll(() => rail.count(sql`select 1 from mail where sealed is not null`)).toBe(0);
    const to = mailbox.letters
      .flatMap((sent) => sent.to!.map(({ address }) => address))
      .filter((address) => !address?.startsWith(active.email));
    expect(to.filter((address) => address === unverified)).toHaveLength(1);
    expect(to).not.toContain(unknown);
  });

  it('writes the same rows, whatever the address', async () => {
    const { email } = await makeAccount(rail);
    const rows = async () => ({
      links: await rail.count(sql`select 1 from magic_link`),
      mail: await rail.count(sql`select 1 from mail`),
      quotas: await rail.count(sql`select 1 from sign_in_quota`),
    });
    for (const address of [email, someEmail()]) {
      const before = await rows();
      await request(address);
      expect(await rows()).toEqual({ links: before.links + 1, mail: before.mail + 1, quotas: before.quotas + 1 });
    }
  });

  it.each([undefined, '', 'nobody', 7, ['a@example.com'], 'a@example.com\0'])(
    '422: %j is no address',
    async (email) => {
      expect(await request(email)).toMatchObject({ status: 422, code: 'validation_failed' });
    },
  );

  it('429 for a second one within a minute and a sixth in a day, alike for known and unknown addresses', async () => {
    const { email } = await makeAccount(rail);
    for (const address of [email, someEmail()]) {
      expect((await request(address)).status).toBe(200);
      const early = await request(address);
      expect(early).toMatchObject({ status: 429, code: 'rate_limited' });
      expect(Number(early.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      for (let i = 0; i < 4; i++) {
        await rail.rows(sql`update sign_in_quota set last_sent_at = last_sent_at - interval '61 seconds'`);
        expect((await request(address)).status).toBe(200);
      }
      await rail.rows(sql`update sign_in_quota set last_sent_at = last_sent_at - interval '61 seconds'`);
      const late = await request(address);
      expect(late.headers.get('ratelimit-policy')).toBe('"sign-in";q=5;w=86400');
      expect(late.status).toBe(429);
    }
  });
});

describe('GET /v1/login/consume', () => {
  it('302 to /dashboard with a session of 14 days in a cookie that scripts and other sites do not get', async () => {
    const account = await makeAccount(rail);
    const token = await makeToken(rail, account.email);
    expect(token).toMatch(/^[A-Z0-9-]{3,64}\.[A-Z2-9]{32}$/);
    const { answer, expectTaken } = await timed(rail, () => consume(rail, token));
    expect([answer.status, answer.headers.get('location'), answer.text]).toEqual([302, '/dashboard', '']);
    const [line] = answer.headers.getSetCookie();
    expect(line).toMatch(/^service_session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const { data } = await session(cookieOf(answer));
    expect(data).toEqual({
      authenticated: true,
      integrator: {
        code: account.integrator,
        display_name: 'Test Office',
        contact_email: account.email,
        tier: 'sandbox',
        pricing_tier: 'free',
        last_login_at: expect.any(String),
      },
    });
    expectTaken(data.integrator.last_login_at);
  });

  it('302 to /signin/expired without a cookie: used, expired, of a suspended or unverified integrator, unknown, malformed, missing, twice', async () => {
    const link = async (
      spoil: (account: Awaited<ReturnType<typeof makeAccount>>, token: string) => Promise<unknown>,
    ) => {
      const account = await makeAccount(rail);
      const token = await makeToken(rail, account.email);
      await spoil(account, token);
      return `?token=${token}`;
    };
    const queries = [
      await link((_account, token) => consume(rail, token)),
      await link(() => rail.rows(sql`update magic_link set expires_at = now()`)),
      await link(({ integrator }) =>
        rail.rows(sql`update integrator set status = 'Suspended' where code = ${integrator}`),
      ),
      await link(({ integrator }) =>
        rail.rows(
          sql`update integrator set status = 'PendingEmail', email_verified = false where code = ${integrator}`,
        ),
      ),
      '?token=NO-SUCH.AAAAAAAABBBBBBBBCCCCCCCCDDDDDDDD',
      '?token=x',
      '?token=%00',
      '?token=%ff',
      '?token[]=x',
      '',
      await link(async () => {}).then((query) => `${query}&token=x`),
    ];
    for (const query of queries) {
      const answer = await rail.ask(`/v1/login/consume${query}`);
      expect([answer.status, answer.headers.get('location'), answer.headers.getSetCookie()], query).toEqual([
        302,
        '/signin/expired',
        [],
      ]);
    }
  });

  it('never goes anywhere else, whatever it is asked', async () => {
    for (const query of ['next=https://evil.example', 'redirect=//evil.example', 'location=https://evil.example']) {
      expect((await rail.ask(`/v1/login/consume?${query}`)).headers.get('location')).toBe('/signin/expired');
      const token = await makeToken(rail, (await makeAccount(rail)).email);
      expect((await rail.ask(`/v1/login/consume?token=${token}&${query}`)).headers.get('location')).toBe('/dashboard');
    }
  });

  it('405 to HEAD and POST, which do not use the link up', async () => {
    const token = await makeToken(rail, (await makeAccount(rail)).email);
    for (const method of ['HEAD', 'POST']) {
      const answer = await rail.ask(`/v1/login/consume?token=${token}`, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
    }
    expect((await consume(rail, token)).headers.get('location')).toBe('/dashboard');
  });

  it('is not followed by an image, a script, a frame, a prefetch, or a page that sends its visitors there', async () => {
    const token = await makeToken(rail, (await makeAccount(rail)).email);
    const forced: Readonly<Record<string, string>>[] = [
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
      {
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'iframe',
        'sec-fetch-user': '?1',
      },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      {
        'sec-fetch-site': 'none',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
        'sec-purpose': 'prefetch;prerender',
      },
      { purpose: 'prefetch' },
      { 'x-purpose': 'preview' },
      { 'x-moz': 'prefetch' },
    ];
    for (const headers of forced) expect(await whereTo(token, headers)).toBe('/signin/expired');
    const followed = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      'sec-fetch-user': '?1',
    };
    expect(await whereTo(token, followed)).toBe('/dashboard');
  });

  it('is not used up by a program that looks at links in mail: who asks for a page like no browser of today is asked first', async () => {
    const token = await makeToken(rail, (await makeAccount(rail)).email);
    const looking = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'user-agent': 'Mozilla/5.0' };
    for (let i = 0; i < 2; i++) {
      const answer = await consume(rail, token, looking);
      expect([answer.status, answer.headers.get('location')]).toEqual([302, `/signin/confirm?token=${token}`]);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    const page = await rail.ask(`/signin/confirm?token=${token}`, { headers: looking });
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(`value="${token}"`)]);
    const post = (headers: object) =>
      rail.ask('/signin/confirm', {
        body: `token=${token}`,
        headers: { ...looking, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      });
    const foreign = await post({ origin: 'https://evil.example' });
    expect([foreign.status, cookieOf(foreign)]).toEqual([403, null]);
    const confirmed = await post({ origin: rail.origin });
    expect([confirmed.status, confirmed.headers.get('location')]).toEqual([303, '/dashboard']);
    expect((await session(cookieOf(confirmed))).data.authenticated).toBe(true);
    expect((await post({})).headers.get('location')).toBe('/signin/expired');
    expect((await rail.ask('/signin/confirm?token=%3Cscript%3E')).text).not.toContain('<script>');
  });

  it("does not replace another account's session by a link on somebody else's page", async () => {
    const [mine, theirs] = [await makeAccount(rail), await makeAccount(rail)];
    const cookie = await signIn(rail, mine);
    const token = await makeToken(rail, theirs.email);
    const clicked = { cookie, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-user': '?1' };
    expect(await whereTo(token, { ...clicked, 'sec-fetch-site': 'cross-site' })).toBe('/signin/expired');
    expect(await whereTo(token, { ...clicked, 'sec-fetch-site': 'none' })).toBe('/dashboard');
  });
});

describe('GET /v1/session', () => {
  it('200: nobody, without a credential or with a cookie that holds nothing', async () => {
    for (const cookie of [
      null,
      'service_session=x',
      `service_session=${'A'.repeat(43)}`,
      'service_session=',
      'other=1',
      '=;;=',
    ]) {
      expect((await session(cookie)).data).toEqual({ authenticated: false, integrator: null });
    }
  });

  it('200: by key; 401 with a key that does not hold', async () => {
    const { key, integrator } = await makeAccount(rail);
    expect((await rail.ask('/v1/session', { key })).data).toMatchObject({
      authenticated: true,
      integrator: { code: integrator },
    });
    expect((await rail.ask('/v1/session', { key: `${key}x` })).status).toBe(401);
  });

  it('is over after 14 days', async () => {
    const cookie = await signIn(rail, await makeAccount(rail));
    await rail.rows(sql`update session set expires_at = expires_at - interval '14 days' + interval '1 minute'`);
    expect((await session(cookie)).data.authenticated).toBe(true);
    await rail.rows(sql`update session set expires_at = expires_at - interval '1 minute'`);
    expect((await session(cookie)).data.authenticated).toBe(false);
    expect((await rail.ask('/v1/me', { headers: { cookie } })).status).toBe(401);
  });

  it('lives beside others of the same account, and is kept as a hash alone', async () => {
    const account = await makeAccount(rail);
    const one = await signIn(rail, account);
    await rail.rows(sql`update sign_in_quota set last_sent_at = last_sent_at - interval '61 seconds'`);
    const two = await signIn(rail, account);
    await rail.ask('/v1/logout', { body: {}, headers: { cookie: one } });
    expect([(await session(one)).data.authenticated, (await session(two)).data.authenticated]).toEqual([false, true]);
    const rows = await rail.rows<{ row: string }>(sql`select s::text as row from session s`);
    for (const { row } of rows) expect(row).not.toContain(two.split('=')[1]);
  });
});

describe('POST /v1/logout', () => {
  const cleared = 'service_session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax';

  it('200: ends the session from the very next request on, and clears the cookie; again and again', async () => {
    const cookie = await signIn(rail, await makeAccount(rail));
    for (let i = 0; i < 3; i++) {
      const answer = await rail.ask('/v1/logout', { method: 'POST', headers: { cookie } });
      expect(answer).toMatchObject({ status: 200, data: { message: expect.any(String) } });
      expect(answer.headers.getSetCookie()).toEqual([cleared]);
      expect((await rail.ask('/v1/me', { headers: { cookie } })).status).toBe(401);
    }
  });

  it('clears the cookie in every case: nobody, a key, a key that does not hold, a body that is none', async () => {
    const { key } = await makeAccount(rail);
    const ask = (options: object) => rail.ask('/v1/logout', { method: 'POST', ...options });
    const answers = [
      await ask({}),
      await ask({ key }),
      await ask({ key: 'rail_sandbox_x' }),
      await ask({ body: 'no JSON' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 400]);
    for (const { headers } of answers) expect(headers.getSetCookie()).toEqual([cleared]);
  });

  it('is nothing that a page of another origin can do', async () => {
    const cookie = await signIn(rail, await makeAccount(rail));
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const answer = await rail.ask('/v1/logout', { method: 'POST', headers: { cookie, ...headers } });
      expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect((await session(cookie)).data.authenticated).toBe(true);
    }
  });

  it('over GraphQL clears the cookie as well, and tells a page of another origin that it did not', async () => {
    const cookie = await signIn(rail, await makeAccount(rail));
    const ask = (headers: object) =>
      rail.ask('/graphql', { body: { query: 'mutation { logOut { message } }' }, headers: { cookie, ...headers } });
    const foreign = await ask({ origin: 'https://evil.example' });
    expect([foreign.json.errors?.[0].extensions.code, foreign.headers.getSetCookie()]).toEqual(['forbidden', []]);
    const { cookie: staff } = await makeStaff(rail, 'clerk');
    const both = await ask({ cookie: `${cookie}; ${staff}` });
    expect([both.json.errors?.[0].extensions.code, both.headers.getSetCookie()]).toEqual(['forbidden', []]);
    const answer = await ask({});
    expect(answer.json.data.logOut.message).toEqual(expect.any(String));
    expect(answer.headers.getSetCookie()).toEqual([cleared]);
    expect((await session(cookie)).data.authenticated).toBe(false);
  });
});
