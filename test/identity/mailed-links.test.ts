import { expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { logIn, mailedToken, makeStaff } from '../harness/people/staff.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();
const NEXT = 'four unrelated words sail';

const submit = (path: string, fields: Record<string, string>, headers = {}) =>
  fetch(rail.origin + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields),
  });
const look = (path: string, method = 'GET') => fetch(rail.origin + path, { method, redirect: 'manual' });

it.each(['invitation', 'password-reset'] as const)(
  '/work/%s asks for a password, which its form alone sets: looking at it leaves the link unused',
  async (kind) => {
    const admin = await makeStaff(rail, 'admin');
    const { email } = kind === 'invitation' ? { email: 'invited@agency.example' } : await makeStaff(rail, 'clerk');
    if (kind === 'invitation') await admin.post('/v1/ops/staff', { email, name: 'Invited', roles: ['clerk'] });
    else await rail.ask('/v1/work/password-reset:request', { body: { email } });
    const token = await mailedToken(rail, email, kind === 'invitation' ? 'invitation' : 'password_reset');
    const path = `/work/${kind}`;
    for (const method of ['HEAD', 'GET', 'GET'])
      expect((await look(`${path}?token=${token}`, method)).status).toBe(200);
    const page = await (await look(`${path}?token=${token}`)).text();
    expect(page).toContain(`<form method="post" action="${path}"`);
    expect(page).toContain(`value="${token}"`);
    expect(await (await look(`${path}?token=${encodeURIComponent('"><script>')}`)).text()).not.toContain('"><script>');

    const foreign = await submit(path, { token, password: NEXT, repeated: NEXT }, { origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
    const weak = await submit(path, { token, password: 'password12345', repeated: 'password12345' });
    expect([weak.status, await weak.text()]).toEqual([422, expect.stringContaining('too common')]);
    const differing = await submit(path, { token, password: NEXT, repeated: `${NEXT}s` });
    expect([differing.status, await differing.text()]).toEqual([422, expect.stringContaining('must be the same')]);
    const done = await submit(path, { token, password: NEXT, repeated: NEXT });
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('You can sign in now')]);
    const again = await submit(path, { token, password: NEXT, repeated: NEXT });
    expect([again.status, await again.text()]).toEqual([422, expect.stringContaining('was used')]);
    expect((await logIn(rail, email, NEXT)).status).toBe(200);
    expect(rail.logged.join('')).not.toContain(token);
    expect(await rail.count(sql`select 1 from audit_log a where a::text like ${`%${token}%`}`)).toBe(0);
  },
);
