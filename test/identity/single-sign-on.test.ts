import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openRail } from '../../src/app/open-rail.ts';
import { buildServer } from '../../src/app/server.ts';
import { addStaff } from '../../src/identity/members/add.ts';
import { createLog } from '../../src/kernel/log.ts';
import { sql } from '../../src/platform/database/sql.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProvider,
  startIdentityProvider,
} from '../harness/people/identity-provider.ts';
import { PASSWORD, logIn } from '../harness/people/staff.ts';
import { type Visit, Visitor } from '../harness/people/visitor.ts';
import { testRail } from '../harness/rail.ts';

const ORIGIN = 'https://rail.example.org';
const MAPPING = {
  grants: [
    { value: 'clerks', roles: ['clerk'] },
    { value: 'supervisors', roles: ['supervisor'] },
    { value: 'ura', agencies: ['URA'] },
    { value: 'kcca', agencies: ['KCCA', 'ATLANTIS'] },
    { value: 'atlantis', agencies: ['ATLANTIS'] },
    { value: 'operators', roles: ['system_manager'], agencies: ['*'] },
  ],
  timeout_ms: 1_000,
};

const folder = mkdtempSync(join(tmpdir(), 'rail-sign-on-'));
let provider: IdentityProvider;
const rail = testRail(async () => {
  provider = await startIdentityProvider(ORIGIN);
  writeFileSync(join(folder, 'mapping.json'), JSON.stringify(MAPPING));
  return {
    BASE_URL: ORIGIN,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: CLIENT_SECRET,
    OIDC_MAPPING: join(folder, 'mapping.json'),
  };
});
afterAll(async () => {
  await provider.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  provider.tamper = (answer) => answer;
  provider.delayMs = 0;
});

let made = 0;
/** Somebody whom the provider knows, and who signs in there next. */
function person(groups: readonly string[], more: object = {}): { subject: string; email: string } {
  const subject = `subject-${++made}`;
  const email = `person-${made}@ministry.example`;
  provider.people.set(subject, { email, email_verified: true, name: 'Nakato Ruth', groups, ...more });
  provider.who = subject;
  return { subject, email };
}

const newVisitor = () => new Visitor({ [ORIGIN]: rail.origin });
const isCallback = (url: URL) => url.origin === ORIGIN && url.pathname === '/signin/sso/callback';

/** Goes to the provider, and back up to the address that ends the sign-in. */
async function goThere(visitor: Visitor, query = ''): Promise<URL> {
  return (await visitor.follow(`${ORIGIN}/signin/sso${query}`, isCallback)).next!;
}

async function signIn(visitor: Visitor, query = ''): Promise<Visit> {
  return visitor.visit(await goThere(visitor, query));
}

const asking = (visitor: Visitor, path: string, body?: object) =>
  rail.ask(path, { body, headers: { cookie: `sid=${visitor.cookie(ORIGIN, 'sid')}` } });
const whoami = async (visitor: Visitor) => (await asking(visitor, '/v1/work/whoami')).data;
const sessions = () => rail.count(sql`select 1 from staff_session`);

/** Expects a page that says why nobody is signed in, and that nothing was made. */
async function expectRefused(visitor: Visitor, visit: Visit, status: number): Promise<void> {
  expect([visit.status, visit.next]).toEqual([status, null]);
  expect(visit.text).toContain('You are not signed in');
  expect(visitor.cookie(ORIGIN, 'sid')).toBeUndefined();
}

describe('signing in at the identity provider', () => {
  it('makes somebody a member of staff with the roles and agencies of their groups, and opens a session', async () => {
    const { email } = person(['clerks', 'ura', 'choir']);
    const visitor = newVisitor();
    const visit = await signIn(visitor, '?return_to=/work/shifts%3Fa=1');
    expect([visit.status, visit.next?.href]).toEqual([303, `${ORIGIN}/work/shifts?a=1`]);
    expect(visitor.cookie(ORIGIN, '__Host-sign_on')).toBeUndefined();
    expect(await whoami(visitor)).toMatchObject({
      authenticated: true,
      email,
      full_name: 'Nakato Ruth',
      roles: ['clerk'],
      agencies: ['URA'],
    });
    const admin = await rail.rows(sql`
      select actor, action, before, after from operator_audit where subject = ${email}`);
    expect(admin).toEqual([
      {
        actor: 'single sign-on',
        action: 'staff.sign_on',
        before: null,
        after: { name: 'Nakato Ruth', roles: ['clerk'], agencies: ['URA'] },
      },
    ]);
  });

  it('gives the roles and agencies that the groups stand for now, in sessions that are open too', async () => {
    const { subject, email } = person(['clerks', 'ura']);
    const first = newVisitor();
    await signIn(first);
    provider.people.set(subject, { ...provider.people.get(subject), groups: ['supervisors', 'kcca'] });
    const second = newVisitor();
    expect((await signIn(second)).next?.href).toBe(`${ORIGIN}/work`);
    for (const visitor of [first, second])
      expect(await whoami(visitor)).toMatchObject({ roles: ['supervisor'], agencies: ['KCCA'] });
    expect(
      await rail.rows(sql`select before, after from operator_audit where subject = ${email} order by id desc limit 1`),
    ).toMatchObject([{ before: { roles: ['clerk'] }, after: { roles: ['supervisor'], agencies: ['KCCA'] } }]);
    await signIn(second);
    expect(await rail.count(sql`select 1 from operator_audit where subject = ${email}`)).toBe(2);
  });

  it('binds to no agency whoever a group lets see all', async () => {
    person(['operators', 'ura']);
    const visitor = newVisitor();
    await signIn(visitor);
    expect(await whoami(visitor)).toMatchObject({ roles: ['system_manager'], agencies: [] });
  });

  it('403: lets nobody in without a role or without an agency, and ends the sessions of whoever has none any more', async () => {
    for (const groups of [['choir'], ['clerks'], ['ura'], ['clerks', 'atlantis'], []]) {
      const { email } = person(groups);
      const visitor = newVisitor();
      await expectRefused(visitor, await signIn(visitor), 403);
      expect(await rail.count(sql`select 1 from staff where email = ${email}`)).toBe(0);
    }
    const { subject } = person(['clerks', 'ura']);
    const before = newVisitor();
    await signIn(before);
    provider.people.set(subject, { ...provider.people.get(subject), groups: ['choir'] });
    const after = newVisitor();
    await expectRefused(after, await signIn(after), 403);
    expect((await whoami(before)).authenticated).toBe(false);
  });

  it('403: where the provider does not say the groups, as beyond 200 of them, and ends no session', async () => {
    const { subject } = person(['clerks', 'ura']);
    const before = newVisitor();
    await signIn(before);
    const { groups: _, ...silent } = provider.people.get(subject)!;
    provider.people.set(subject, { ...silent, _claim_names: { groups: 'src1' } });
    const after = newVisitor();
    await expectRefused(after, await signIn(after), 403);
    expect((await whoami(before)).authenticated).toBe(true);
  });

  it('403: without an address that the provider has verified', async () => {
    for (const more of [{ email_verified: false }, { email_verified: undefined }, { email: 'nobody' }]) {
      person(['clerks', 'ura'], more);
      const visitor = newVisitor();
      await expectRefused(visitor, await signIn(visitor), 403);
    }
  });

  it('403: whoever was deactivated here, from whatever session; and whoever has the address of somebody else', async () => {
    const { email } = person(['clerks', 'ura']);
    const visitor = newVisitor();
    await signIn(visitor);
    // Somebody else at the provider who was given the address.
    person(['operators'], { email });
    const heir = newVisitor();
    await expectRefused(heir, await signIn(heir), 403);
    expect((await whoami(visitor)).roles).toEqual(['clerk']);
    await rail.rows(sql`
      update staff set active = false, deactivated_at = now(), generation = generation + 1 where email = ${email}`);
    provider.who = `subject-${made - 1}`;
    const again = newVisitor();
    await expectRefused(again, await signIn(again), 403);
    expect((await whoami(visitor)).authenticated).toBe(false);
  });

  it('knows somebody by who they are at the provider, whatever their address is called there now', async () => {
    const { subject, email } = person(['clerks', 'ura']);
    await signIn(newVisitor());
    provider.people.set(subject, { ...provider.people.get(subject), email: 'married@ministry.example' });
    const visitor = newVisitor();
    await signIn(visitor);
    expect((await whoami(visitor)).email).toBe(email);
  });

  it('takes over the record of whoever was made here before, invited or not', async () => {
    const { email } = await makeStaffHere();
    person(['supervisors', 'ura'], { email: email.toUpperCase() });
    const visitor = newVisitor();
    await signIn(visitor);
    expect(await whoami(visitor)).toMatchObject({ email, roles: ['supervisor'], agencies: ['URA'] });
  });

  it('goes nowhere but to this host afterwards', async () => {
    for (const wanted of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      'work',
      '/\t/evil.example',
      `/${'x'.repeat(600)}`,
    ]) {
      person(['clerks', 'ura']);
      const visit = await signIn(newVisitor(), `?return_to=${encodeURIComponent(wanted)}`);
      expect([wanted.slice(0, 30), visit.next?.href]).toEqual([wanted.slice(0, 30), `${ORIGIN}/work`]);
    }
    const dotted = await signIn(newVisitor(), `?return_to=${encodeURIComponent('/.//evil.example')}`);
    expect(dotted.next?.host).toBe('rail.example.org');
  });
});

async function makeStaffHere(): Promise<{ email: string }> {
  const email = `here-${++made}@ministry.example`;
  await addStaff(rail.rail, { email, name: 'Made here', roles: ['clerk'], password: PASSWORD });
  return { email };
}

describe('the page on which staff sign in', () => {
  it('leads to the identity provider, and on to where they were going', async () => {
    person(['clerks', 'ura']);
    const visitor = newVisitor();
    const { text } = await visitor.visit(`${ORIGIN}/signin/staff?to=${encodeURIComponent('/counter?a=1')}`);
    const [, href] = /href="(\/signin\/sso[^"]*)"/.exec(text)!;
    const { next } = await visitor.follow(`${ORIGIN}${href}`, isCallback);
    expect((await visitor.visit(next!)).next?.href).toBe(`${ORIGIN}/counter?a=1`);
  });
});

describe('an answer of the identity provider', () => {
  it('401: counts once, in the browser that began, and within ten minutes', async () => {
    person(['clerks', 'ura']);
    const visitor = newVisitor();
    const callback = await goThere(visitor);
    const stranger = newVisitor();
    await expectRefused(stranger, await stranger.visit(callback), 401);
    const cookie = visitor.cookie(ORIGIN, '__Host-sign_on')!;
    expect((await visitor.visit(callback)).status).toBe(303);
    // The same again, with the cookie that was taken back.
    const before = await sessions();
    const replay = newVisitor();
    replay.setCookie(ORIGIN, '__Host-sign_on', cookie);
    await expectRefused(replay, await replay.visit(callback), 401);
    expect(await sessions()).toBe(before);
    const late = newVisitor();
    const tooLate = await goThere(late);
    rail.advance(0.18);
    await expectRefused(late, await late.visit(tooLate), 401);
  });

  it('is used up by one of many requests at a time', async () => {
    person(['clerks', 'ura']);
    const visitor = newVisitor();
    const callback = await goThere(visitor);
    const statuses = (await Promise.all(Array.from({ length: 5 }, () => visitor.visit(callback)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(4);
  });

  it('is taken by any process, whichever began the sign-in', async () => {
    const { email } = person(['clerks', 'ura']);
    const { rail: another, close } = await openRail(rail.rail.config, createLog('silent'));
    another.origin = ORIGIN;
    const server = createServer(buildServer(another));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    try {
      const here = newVisitor();
      const callback = await goThere(here);
      const { port } = server.address() as AddressInfo;
      const there = new Visitor({ [ORIGIN]: `http://127.0.0.1:${port}` });
      there.setCookie(ORIGIN, '__Host-sign_on', here.cookie(ORIGIN, '__Host-sign_on')!);
      expect((await there.visit(callback)).status).toBe(303);
      expect((await whoami(there)).email).toBe(email);
      await expectRefused(here, await here.visit(callback), 401);
    } finally {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await close();
    }
  });

  it('401: with another state, and what was begun can still be ended', async () => {
    person(['clerks', 'ura']);
    const visitor = newVisitor();
    const callback = await goThere(visitor);
    const forged = new URL(callback);
    forged.searchParams.set('state', 'x'.repeat(43));
    await expectRefused(visitor, await visitor.visit(forged), 401);
    expect((await visitor.visit(callback)).status).toBe(303);
  });

  it('401: with the code of somebody else’s sign-in, and of another issuer', async () => {
    person(['operators']);
    const attacker = newVisitor();
    const theirs = await goThere(attacker);
    person(['clerks', 'ura']);
    for (const swap of [
      (mine: URL) => mine.searchParams.set('code', theirs.searchParams.get('code')!),
      (mine: URL) => mine.searchParams.set('iss', 'https://evil.example'),
      (mine: URL) => mine.searchParams.delete('iss'),
      (mine: URL) => mine.searchParams.append('state', 'twice'),
    ]) {
      const visitor = newVisitor();
      const mine = await goThere(visitor);
      swap(mine);
      await expectRefused(visitor, await visitor.visit(mine), 401);
    }
  });

  it('401: where the browser asked with another nonce, or without the proof key for its code', async () => {
    person(['clerks', 'ura']);
    for (const change of [
      (asked: URL) => asked.searchParams.set('nonce', 'another'),
      (asked: URL) => ['code_challenge', 'code_challenge_method'].forEach((name) => asked.searchParams.delete(name)),
    ]) {
      const visitor = newVisitor();
      const asked = (await visitor.visit(`${ORIGIN}/signin/sso`)).next!;
      expect(asked.searchParams.get('code_challenge_method')).toBe('S256');
      change(asked);
      const { next } = await visitor.follow(asked, isCallback);
      await expectRefused(visitor, await visitor.visit(next!), 401);
    }
  });

  it('401: with an ID token that is unsigned, altered, or none', async () => {
    person(['clerks', 'ura']);
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const parts = (answer: Record<string, unknown>) => String(answer['id_token']).split('.');
    const alter = (payload: string, more: object) =>
      encode({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...more });
    for (const forge of [
      ([, payload]: string[]) => `${encode({ alg: 'none' })}.${payload}.`,
      ([header, payload, signature]: string[]) =>
        `${header}.${alter(payload!, { groups: ['operators'] })}.${signature}`,
      ([header, payload, signature]: string[]) => `${header}.${alter(payload!, { aud: 'another' })}.${signature}`,
      () => undefined,
    ]) {
      provider.tamper = (answer) => ({ ...answer, id_token: forge(parts(answer)) });
      const visitor = newVisitor();
      await expectRefused(visitor, await signIn(visitor), 401);
    }
    // The log does not identify the person.
    const logged = rail.logged.filter((line) => line.includes('identity provider')).join('\n');
    expect(logged).toContain('does not hold');
    expect(logged).not.toMatch(/Nakato|@ministry/);
  });

  it('403: that lets nobody in; and says nothing in words that an address can be made to carry', async () => {
    const visitor = newVisitor();
    const { searchParams } = (await visitor.visit(`${ORIGIN}/signin/sso`)).next!;
    const query = new URLSearchParams({
      error: 'access_denied',
      error_description: 'Call this number',
      state: searchParams.get('state')!,
      iss: provider.issuer,
    });
    const visit = await visitor.visit(`${ORIGIN}/signin/sso/callback?${query}`);
    await expectRefused(visitor, visit, 403);
    expect(visit.text).not.toContain('Call this number');
  });

  it('is not used up by whoever only asks for the head of the page', async () => {
    person(['clerks', 'ura']);
    const visitor = newVisitor();
    const callback = await goThere(visitor);
    expect((await visitor.visit(callback, 'HEAD')).status).toBe(200);
    expect((await visitor.visit(callback)).status).toBe(303);
  });
});

describe('an identity provider that is away', () => {
  it('502, 504: is said on a page, and nothing is half made', async () => {
    person(['clerks', 'ura']);
    const visitor = newVisitor();
    const callback = await goThere(visitor);
    const before = [await sessions(), await rail.count(sql`select 1 from sign_on_attempt`)];
    provider.delayMs = 1_500;
    const slow = await visitor.visit(callback);
    await expectRefused(visitor, slow, 504);
    await provider.close();
    const gone = newVisitor();
    const visit = await gone.visit(`${ORIGIN}/signin/sso`);
    await expectRefused(gone, visit, 502);
    expect(gone.cookie(ORIGIN, '__Host-sign_on')).toBeUndefined();
    expect([await sessions(), await rail.count(sql`select 1 from sign_on_attempt`)]).toEqual([
      before[0],
      before[1]! - 1,
    ]);
    await provider.open();
    provider.delayMs = 0;
    expect((await signIn(newVisitor())).status).toBe(303);
  });
});

describe('a password beside single sign-on', () => {
  it('401: of anybody but accounts for emergencies, whose every login is flagged', async () => {
    const { email } = await makeStaffHere();
    expect(await logIn(rail, email)).toMatchObject({ status: 401, code: 'invalid_credentials' });
    const emergency = `emergency-${++made}@ministry.example`;
    await addStaff(rail.rail, { email: emergency, name: 'E', roles: ['admin'], password: PASSWORD, breakGlass: true });
    await provider.close();
    for (const count of [1, 2]) {
      expect((await logIn(rail, emergency)).status).toBe(200);
      expect(await rail.count(sql`select 1 from anomaly where kind = 'break_glass_login'`)).toBe(count);
    }
    expect((await logIn(rail, emergency, 'wrong password')).status).toBe(401);
    await provider.open();
    const raised = await rail.rows<{ subject: string; evidence: Record<string, string> }>(
      sql`select severity, subject, evidence from anomaly where kind = 'break_glass_login'`,
    );
    for (const { subject, evidence } of raised)
      expect({ subject, evidence }).toEqual({
        subject: expect.stringMatching(/^SESSION-/),
        evidence: { staff: emergency, session: subject, network: expect.stringMatching(/^[\da-f]{64}$/) },
      });
    // The provider has no say over it.
    person(['clerks', 'ura'], { email: emergency });
    const visitor = newVisitor();
    await expectRefused(visitor, await signIn(visitor), 403);
  });

  it('is allowed and forbidden by admins, of others than themselves, with a reason and an audit row', async () => {
    const email = `admin-${++made}@ministry.example`;
    await addStaff(rail.rail, { email, name: 'E', roles: ['admin'], password: PASSWORD, breakGlass: true });
    const cookie = (await logIn(rail, email)).headers.getSetCookie()[0]!.split(';')[0]!;
    const set = (whom: string, body: object) =>
      rail.ask(`/v1/ops/staff/${whom}:set-break-glass`, { body, headers: { cookie } });
    const { email: other } = await makeStaffHere();
    expect((await set(other, { break_glass: true })).status).toBe(422);
    expect((await set(other, { break_glass: true, reason: 'On duty' })).data).toMatchObject({ break_glass: true });
    const entered = await logIn(rail, other);
    expect(entered.status).toBe(200);
    expect((await set(other, { break_glass: false, reason: 'Over' })).data).toMatchObject({ break_glass: false });
    expect((await logIn(rail, other)).status).toBe(401);
    const still = { cookie: entered.headers.getSetCookie()[0]!.split(';')[0]! };
    expect((await rail.ask('/v1/work/whoami', { headers: still })).data.authenticated).toBe(false);
    expect(
      await rail.rows(sql`
        select actor, before, after, reason from operator_audit
        where subject = ${other} and action = 'staff.set_break_glass' order by id`),
    ).toMatchObject([
      { actor: email, before: { break_glass: false }, after: { break_glass: true }, reason: 'On duty' },
      { after: { break_glass: false }, reason: 'Over' },
    ]);
    expect((await set(email, { break_glass: false, reason: 'Mine' })).status).toBe(403);
    expect((await set('nobody@ministry.example', { break_glass: true, reason: 'x' })).status).toBe(404);
    const { email: without } = person(['clerks', 'ura']);
    await signIn(newVisitor());
    expect((await set(without, { break_glass: true, reason: 'x' })).json.error.details).toMatchObject([
      { code: 'no_password' },
    ]);
    const clerk = newVisitor();
    await signIn(clerk);
    expect((await asking(clerk, `/v1/ops/staff/${other}:set-break-glass`, {})).status).toBe(403);
  });
});

describe('signing out', () => {
  it('ends the session here, and says where to end the one at the provider', async () => {
    person(['clerks', 'ura']);
    const visitor = newVisitor();
    await signIn(visitor);
    const out = await asking(visitor, '/v1/work/logout', {});
    expect(out.data.sign_out_url).toBe(
      `${provider.issuer}/session/end?${new URLSearchParams({ post_logout_redirect_uri: `${ORIGIN}/signin/staff`, client_id: CLIENT_ID })}`,
    );
    expect((await whoami(visitor)).authenticated).toBe(false);
    expect((await rail.ask('/v1/work/logout', { body: {} })).data).not.toHaveProperty('sign_out_url');
  });

  it('goes on to the provider from the pages, by a page, since their policy lets no form lead there', async () => {
    person(['clerks', 'ura']);
    const visitor = newVisitor();
    await signIn(visitor);
    const cookie = `sid=${visitor.cookie(ORIGIN, 'sid')}`;
    const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
    const leave = () => rail.ask('/work/signout', { body: '_page=%2Fwork', headers });
    const left = await leave();
    expect([left.status, left.headers.get('refresh')]).toEqual([
      200,
      expect.stringMatching(`^0; url=${provider.issuer}/session/end\\?`),
    ]);
    expect(left.text).toContain(`href="${provider.issuer}/session/end?`);
    expect(left.headers.get('content-security-policy')).toContain("form-action 'self'");
    expect((await whoami(visitor)).authenticated).toBe(false);
    const again = await leave();
    expect([again.status, again.headers.get('location')]).toEqual([303, '/signin/staff?done=signedOut']);
  });
});

describe('a session of single sign-on', () => {
  it('ends after 30 minutes without a request, and is one that operators see', async () => {
    const { email } = person(['clerks', 'ura']);
    const visitor = newVisitor();
    await signIn(visitor);
    expect(await rail.count(sql`select 1 from staff_session where staff = ${email} and signed_on`)).toBe(1);
    rail.advance(0.6);
    expect((await whoami(visitor)).authenticated).toBe(false);
  });

  it('replaces the one that the browser came with', async () => {
    person(['clerks', 'ura']);
    const visitor = newVisitor();
    await signIn(visitor);
    const first = visitor.cookie(ORIGIN, 'sid')!;
    await signIn(visitor);
    expect(visitor.cookie(ORIGIN, 'sid')).not.toBe(first);
    expect((await rail.ask('/v1/work/whoami', { headers: { cookie: `sid=${first}` } })).data.authenticated).toBe(false);
  });
});
