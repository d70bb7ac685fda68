import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LIVE } from '../../harness/live.ts';
import { enrol, passCodes } from '../../harness/people/second-factor.ts';
import { PASSWORD, makeStaff } from '../../harness/people/staff.ts';
import { type TestRail, testRail } from '../../harness/rail.ts';

const live = testRail(LIVE);
const sandbox = testRail();

/** Why a cookie has no prefix over TLS. */
const FIXED: Readonly<Record<string, string>> = {
  sid: 'the name is that of the contract',
  service_session: 'the name is that of the contract',
};

/** Signs in and out in a browser, and answers each `Set-Cookie` on the way. */
async function collectCookies(rail: TestRail): Promise<string[]> {
  const seen: string[] = [];
  const jar = new Map<string, string>();
  const send = async (path: string, form: Record<string, string> = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, accept: 'text/html' };
    const body = new URLSearchParams(form);
    const answer = await fetch(rail.origin + path, { method: 'POST', redirect: 'manual', headers, body });
    expect([path, answer.status]).toEqual([path, expect.toBeOneOf([200, 303])]);
    for (const line of answer.headers.getSetCookie()) {
      seen.push(line);
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      jar.set(name!, value!);
    }
    return answer;
  };
  const clerk = await makeStaff(rail, 'clerk');
  const app = await enrol(rail, clerk.cookie);
  passCodes(rail);
  await send('/language', { language: 'sw', back: '/signin/staff' });
  await send('/signin/staff', { email: clerk.email, password: PASSWORD, _page: '/signin/staff' });
  const entered = await send('/signin/staff/code', { code: app.code(), _page: '/signin/staff/code' });
  expect(entered.headers.get('location')).toBe('/work');
  const page = await fetch(`${rail.origin}/work`, {
    headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
  });
  expect(await page.text()).toContain('lang="sw"');
  await send('/v1/work/logout');
  await send('/v1/logout');
  return seen;
}

const nameOf = (line: string) => line.split('=', 1)[0]!;

it('are of this host alone on a live rail, but for those whose name is fixed', async () => {
  const lines = await collectCookies(live);
  expect(new Set(lines.map(nameOf))).toEqual(
    new Set(['__Host-language', '__Host-log_in', '__Host-known', 'sid', 'service_session']),
  );
  for (const line of lines) {
    expect(nameOf(line).startsWith('__Host-') || nameOf(line) in FIXED, line).toBe(true);
    // Browsers require these of the prefix, and they are good for all cookies.
    expect(line).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(line).not.toMatch(/Domain/i);
  }
});

it('have plain names in a sandbox that is reached by http, where browsers refuse the prefix', async () => {
  expect((await collectCookies(sandbox)).map(nameOf)).not.toContainEqual(expect.stringContaining('__Host-'));
});

it('that are sealed open with a whole tag alone', () => {
  const { vault } = live.rail;
  const sealed = vault.seal('known', '', '');
  expect(vault.open('known', '', sealed)).toBe('');
  // The tag follows the nonce of 12 bytes.
  for (const bytes of [4, 8, 12, 15]) expect(vault.open('known', '', sealed.subarray(0, 12 + bytes))).toBeNull();
});

it('are written and read in one place', () => {
  const files = globSync(['src/**/*.ts', 'rest/**/*.ts'], { exclude: ['src/generated/**'] });
  const using = files.filter((file) => /from 'cookie'|\.cookie\(|clearCookie\('/.test(readFileSync(file, 'utf8')));
  expect(using).toEqual(['src/platform/access/cookies.ts']);
});
