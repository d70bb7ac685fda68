import { randomUUID } from 'node:crypto';
import { createHook } from 'node:async_hooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { addStaff } from '../../src/identity/members/add.ts';
import { cookieOf } from '../harness/people/accounts.ts';
import { capture } from '../harness/processes.ts';
import { testRail } from '../harness/rail.ts';
import { deactivateStaff, reactivateStaff } from '../../src/identity/members/leave.ts';
import { resetSecondFactor } from '../../src/identity/members/reset.ts';
import { updateStaff } from '../../src/identity/members/update.ts';
import { commandLine } from '../../src/platform/access/viewer.ts';
import { callOf } from '../../src/platform/call/call.ts';
import { enrol } from '../harness/people/second-factor.ts';
import { PASSWORD, logIn, mailedToken, makeStaff, makeStaffOf } from '../harness/people/staff.ts';
import { tally } from '../harness/chaos/tally.ts';

const rail = testRail();

const whoami = async (cookie: string | null) =>
  (await rail.ask('/v1/work/whoami', { headers: { ...(cookie && { cookie }) } })).data;

async function someone(): Promise<string> {
  const email = `${randomUUID()}@agency.example`;
  await addStaff(rail.rail, { email, name: 'Somebody', roles: ['clerk'], password: PASSWORD });
  return email;
}

describe('POST /v1/work/login', () => {
  it('200: opens a session of 12 hours in a cookie that scripts and other sites do not get', async () => {
    const email = await someone();
    const answer = await logIn(rail, ` \u200b${email.toUpperCase()}\u202c `);
    expect(answer).toMatchObject({
      status: 200,
      data: { authenticated: true, email, roles: ['clerk'], is_clerk: true, is_admin: false },
    });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sid=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
      expect.stringMatching(/^known=/),
    ]);
    expect((await whoami(cookieOf(answer))).email).toBe(email);
  });

  it('401 invalid_credentials: a wrong password, nobody, somebody who left; alike', async () => {
    const [email, gone] = [await someone(), await someone()];
    await rail.rows(sql`update staff set active = false where email = ${gone}`);
    const answers = [
      await logIn(rail, email, 'wrong'),
      await logIn(rail, 'nobody@agency.example'),
      await logIn(rail, gone),
      await logIn(rail, email, 'x'.repeat(1_000)),
    ];
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 401, code: 'invalid_credentials' });
    for (const { headers } of answers) expect(headers.getSetCookie()).toEqual([]);
  });

  it.each([{}, { email: 'a@example.com' }, { email: 1, password: 'x' }, { email: 'a@example.com', password: ['x'] }])(
    '422: %j',
    async (body) => {
      expect(await rail.ask('/v1/work/login', { body })).toMatchObject({ status: 422, code: 'validation_failed' });
    },
  );

  it('is locked for 15 minutes after 5 wrong passwords, whether there is anybody or not, and then forgets them', async () => {
    const email = await someone();
    for (const address of [email, 'nobody-else@agency.example']) {
      const statuses = [];
      for (let i = 0; i < 5; i++) statuses.push((await logIn(rail, address, 'wrong')).status);
      expect(tally(statuses)).toEqual({ 401: 5 });
      expect(await logIn(rail, address)).toMatchObject({ status: 401, code: 'invalid_credentials' });
    }
    expect(await rail.count(sql`select 1 from login_failures where locked_until > now() + interval '14 minutes'`)).toBe(
      2,
    );
    rail.advance(14.9 / 60);
    expect((await logIn(rail, email)).status).toBe(401);
    rail.advance(0.2 / 60);
    expect((await logIn(rail, email)).status).toBe(200);
    rail.advance(-15.1 / 60);
    for (let i = 0; i < 4; i++) expect((await logIn(rail, email, 'wrong')).status).toBe(401);
    expect((await logIn(rail, email)).status).toBe(200);
    for (let i = 0; i < 4; i++) expect((await logIn(rail, email, 'wrong')).status).toBe(401);
    expect((await logIn(rail, email)).status).toBe(200);
  });

  it('compares no more than five wrong passwords, however many come at a time', async () => {
    const email = await someone();
    const answers = await Promise.all(Array.from({ length: 20 }, () => logIn(rail, email, 'wrong')));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 401: 20 });
    const [row] = await rail.rows<{ failures: number }>(
      sql`select failures from login_failures order by last_failed_at desc limit 1`,
    );
    expect(row!.failures).toBe(5);
    expect((await logIn(rail, email)).status).toBe(401);
  });

  it('hashes a password for nobody, and while locked, as for somebody: it takes most of the time of an answer', async () => {
    const email = await someone();
    let hashed = 0;
    const hook = createHook({ init: (_id, type) => void (hashed += Number(type === 'ARGON2REQUEST')) }).enable();
    onTestFinished(() => void hook.disable());
    for (let tries = 1; tries <= 12; tries++) {
      for (const address of [email, `${randomUUID()}@agency.example`]) {
        hashed = 0;
        await logIn(rail, address, 'wrong');
        expect([tries, address, hashed]).toEqual([tries, address, 1]);
      }
    }
  });

  it('does not take up a session that the browser was given, and ends the one that it had', async () => {
    const email = await someone();
    const planted = `sid=${'A'.repeat(43)}`;
    const first = cookieOf(await logIn(rail, email, PASSWORD, { cookie: planted }))!;
    expect(first).not.toBe(planted);
    expect((await whoami(planted)).authenticated).toBe(false);
    const second = cookieOf(await logIn(rail, email, PASSWORD, { cookie: first }))!;
    expect([(await whoami(first)).authenticated, (await whoami(second)).authenticated]).toEqual([false, true]);
  });

  it('403: from a page of another origin', async () => {
    const email = await someone();
    const answer = await logIn(rail, email, PASSWORD, { origin: 'https://evil.example' });
    expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it('401: with a bearer key, as everything below /v1/work', async () => {
    const { plaintext: key } = await rail.key('assessments.write');
    for (const [path, body] of [
      ['login', { email: await someone(), password: PASSWORD }],
      ['whoami', undefined],
      ['mdas', undefined],
    ] as const) {
      expect(await rail.ask(`/v1/work/${path}`, { key, body })).toMatchObject({ status: 401, code: 'unauthenticated' });
    }
  });
});

describe('GET /v1/work/whoami', () => {
  it('200: nobody, without a session or with one that does not hold', async () => {
    for (const cookie of [null, 'sid=x', `sid=${'B'.repeat(43)}`])
      expect(await whoami(cookie)).toEqual({ authenticated: false });
  });

  it('200: the user with the role booleans', async () => {
    const both = await makeStaff(rail, 'supervisor', 'oversight');
    expect(await whoami(both.cookie)).toEqual({
      authenticated: true,
      email: both.email,
      full_name: 'A supervisor and oversight',
      roles: ['supervisor', 'oversight'],
      scopes: expect.arrayContaining(['assessments.cancel', 'oversight.read']),
      is_clerk: false,
      is_supervisor: true,
      is_admin: false,
      is_system_manager: false,
      is_oversight: true,
      is_finance_officer: false,
      is_auditor: false,
      agencies: [],
    });
  });
});

describe('a session of staff', () => {
  it('ends after 30 minutes without a request, and after 12 hours in any case', async () => {
    const { cookie } = await makeStaff(rail, 'clerk');
    rail.advance(29 / 60);
    expect((await whoami(cookie)).authenticated).toBe(true);
    rail.advance(29 / 60);
    expect((await whoami(cookie)).authenticated).toBe(true);
    rail.advance(31 / 60);
    expect((await whoami(cookie)).authenticated).toBe(false);
    rail.advance(-89 / 60);
    const busy = await makeStaff(rail, 'clerk');
    for (let i = 0; i < 23; i++) {
      rail.advance(0.48);
      expect((await whoami(busy.cookie)).authenticated).toBe(true);
    }
    rail.advance(12.01 - 23 * 0.48);
    expect((await whoami(busy.cookie)).authenticated).toBe(false);
    rail.advance(-12.01);
  });

  it('ends at once by a logout, by an admin, and when roles or password change', async () => {
    const admin = await makeStaff(rail, 'admin');
    const [one, two, three] = [
      await makeStaff(rail, 'clerk'),
      await makeStaff(rail, 'clerk'),
      await makeStaff(rail, 'clerk'),
    ];
    const out = await one.post('/v1/work/logout');
    expect(out.headers.getSetCookie()).toEqual(['sid=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax']);
    const [listed] = (await admin.ask(`/v1/ops/sessions?owner=${two.email}`)).data;
    expect(listed).toMatchObject({ kind: 'staff', owner: two.email, ended_at: null, last_seen_at: expect.any(String) });
    const ended = await admin.post(`/v1/ops/sessions/${listed.name}:end`, { reason: 'Left the counter' });
    expect(ended.data.ended_at).toEqual(expect.any(String));
    await addStaff(rail.rail, {
      email: three.email,
      name: 'Promoted',
      roles: ['supervisor'],
      password: 'another long password',
    });
    for (const { cookie } of [one, two, three]) expect((await whoami(cookie)).authenticated).toBe(false);
    expect((await logIn(rail, three.email)).status).toBe(401);
    expect((await logIn(rail, three.email, 'another long password')).data.is_supervisor).toBe(true);
  });

  it('is one of ten at most: with one more, that which was opened longest ago is over', async () => {
    const email = await someone();
    const cookies: (string | null)[] = [];
    for (let nth = 0; nth < 12; nth++) cookies.push(cookieOf(await logIn(rail, email)));
    const holds = await Promise.all(cookies.map(async (cookie) => (await whoami(cookie)).authenticated as boolean));
    expect(holds).toEqual([false, false, ...Array.from({ length: 10 }, () => true)]);
  });

  it('changes nothing for a page of another origin', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      expect((await clerk.post('/v1/counter-shifts', { mda: 'URA' }, headers)).status).toBe(401);
      expect(await clerk.post('/v1/work/logout', {}, headers)).toMatchObject({ status: 403, code: 'forbidden' });
    }
    expect((await whoami(clerk.cookie)).authenticated).toBe(true);
    expect(await rail.count(sql`select 1 from counter_shift where clerk = ${clerk.email}`)).toBe(0);
  });

  it('ends over GraphQL too, which clears the cookie', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const answer = await clerk.post('/graphql', { query: 'mutation { staffLogOut { message } }' });
    expect(answer.headers.getSetCookie()).toEqual(['sid=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax']);
    expect((await whoami(clerk.cookie)).authenticated).toBe(false);
  });

  it('and its password are kept as hashes alone', async () => {
    const { cookie, email } = await makeStaff(rail, 'clerk', { added: true });
    const rows = await rail.rows<{ row: string }>(
      sql`select s::text || u::text as row from staff_session s join staff u on u.email = s.staff where u.email = ${email}`,
    );
    expect(rows[0]!.row).not.toContain(cookie.split('=')[1]);
    expect(rows[0]!.row).not.toContain(PASSWORD);
    expect(rows[0]!.row).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
    expect(rail.logged.join('')).not.toContain(PASSWORD);
  });
});

describe('npm run admin --', () => {
  it('staff:invite and staff:deactivate act as the operator at the machine, who may make the first admin', async () => {
    await makeStaff(rail, 'admin');
    const env = { DATABASE_URL: rail.url, DATA_DIR: rail.dataDir };
    const email = `${randomUUID()}@agency.example`;
    const run = async (name: string, ...args: string[]) =>
      JSON.parse(await capture('src/app/cli/admin.ts', [`staff:${name}`, '--email', email, ...args, '--json'], env));
    expect(await run('invite', '--name', 'Machine Made', '--role', 'admin,clerk', '--agency', 'URA')).toEqual({
      email,
      name: 'Machine Made',
      roles: ['clerk', 'admin'],
      agencies: ['URA'],
      status: 'Invited',
      second_factor: false,
    });
    const token = await mailedToken(rail, email, 'invitation');
    const body = { token, password: 'four unrelated words sail' };
    expect((await rail.ask('/v1/work/invitations:accept', { body })).status).toBe(200);
    const cookie = cookieOf(await logIn(rail, email, body.password))!;
    expect(await run('deactivate', '--reason', 'It is time')).toMatchObject({ email, status: 'Deactivated' });
    expect((await whoami(cookie)).authenticated).toBe(false);
    const audited = await rail.rows<{ action: string }>(
      sql`select action from operator_audit where subject = ${email} and actor = 'command line' order by id`,
    );
    expect(audited.map(({ action }) => action)).toEqual(['staff.invite', 'staff.deactivate']);
  });

  it('staff:roles, staff:reactivate and staff:reset-second-factor need nobody to approve either', async () => {
    const machine = callOf(rail.rail, commandLine, 'a command');
    const { email, cookie } = await makeStaff(rail, 'clerk');
    await enrol(rail, cookie);
    const why = { id: email, reason: 'It is time' };
    expect(await resetSecondFactor(machine, why)).toMatchObject({ hasSecondFactor: false });
    expect((await updateStaff(machine, { ...why, roles: ['admin'] })).roles).toEqual(['admin']);
    await makeStaff(rail, 'admin');
    await deactivateStaff(machine, why);
    expect(await reactivateStaff(machine, why)).toMatchObject({ status: 'Active', roles: ['admin'] });
  });
});

describe('npm run admin -- staff:add', () => {
  it(
    'makes a member of staff with a password of its own or a given one, and lists them',
    { tags: 'long' },
    async () => {
      const env = { DATABASE_URL: rail.url, DATA_DIR: rail.dataDir };
      const email = `${randomUUID()}@agency.example`;
      const added = JSON.parse(
        await capture(
          'src/app/cli/admin.ts',
          ['staff:add', '--email', email, '--name', 'New', '--role', 'clerk,supervisor', '--json'],
          env,
        ),
      );
      expect(added).toEqual({
        email,
        roles: ['clerk', 'supervisor'],
        agencies: [],
        password: expect.stringMatching(/^.{20}$/),
      });
      expect((await logIn(rail, email, added.password)).data.roles).toEqual(['clerk', 'supervisor']);
      const listed = JSON.parse(await capture('src/app/cli/admin.ts', ['staff:list', '--json'], env));
      expect(listed[0]).toMatchObject({ email, name: 'New', active: true });
      expect(Object.keys(listed[0])).toEqual(['email', 'name', 'roles', 'agencies', 'active', 'created_at']);
      for (const args of [
        ['--role', 'king'],
        ['--role', 'clerk', '--password', 'short'],
        ['--role', 'clerk', '--agency', 'NOWHERE'],
      ]) {
        await expect(
          capture('src/app/cli/admin.ts', ['staff:add', '--email', email, '--name', 'New', ...args], env),
        ).rejects.toThrow(/ended with 1/);
      }
    },
  );

  it('binds a member of staff to agencies', async () => {
    const bound = await makeStaffOf(rail, ['URA', 'KCCA', 'URA'], 'finance_officer', { added: true });
    expect((await bound.ask('/v1/work/whoami')).data).toMatchObject({
      agencies: ['KCCA', 'URA'],
      is_finance_officer: true,
    });
  });
});

describe('the operator at the machine', () => {
  it('is named in the audit where they gave their name', async () => {
    const named = { ...rail.rail, config: { ...rail.rail.config, operator: 'jane.doe' } };
    const email = 'made-by-jane@agency.example';
    await addStaff(named, { email, name: 'Somebody', roles: ['clerk'] });
    const rows = await rail.rows(sql`select actor from operator_audit where subject = ${email}`);
    expect(rows).toEqual([{ actor: 'command line (jane.doe)' }]);
  });
});
