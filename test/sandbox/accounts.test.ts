import { expect, it } from 'vitest';
import { introduceAccounts, makeSandboxAccounts } from '../../src/sandbox/accounts.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { LIVE } from '../harness/live.ts';
import { cookieOf } from '../harness/people/accounts.ts';
import { logIn } from '../harness/people/staff.ts';
import { testRail } from '../harness/rail.ts';

const sandbox = testRail();
const live = testRail(LIVE);

it('a new sandbox makes an account for each kind of staff once, by two processes too, whose password is shown once', async () => {
  const made = await Promise.all([makeSandboxAccounts(sandbox.rail), makeSandboxAccounts(sandbox.rail)]);
  const [password, ...others] = made.filter((answered) => answered !== null);
  expect(others).toEqual([]);
  const said = introduceAccounts(password!);
  const staff = await sandbox.rows<{ email: string; roles: string[] }>(sql`select email, roles from staff`);
  expect(staff.flatMap(({ roles }) => roles).toSorted()).toEqual([
    'admin',
    'auditor',
    'clerk',
    'finance_officer',
    'finance_officer',
    'oversight',
    'supervisor',
    'system_manager',
  ]);
  for (const { email, roles } of staff) {
    expect(said).toContain(email);
    const cookie = cookieOf(await logIn(sandbox, email, password))!;
    expect((await sandbox.ask('/v1/work/whoami', { headers: { cookie } })).data.roles).toEqual(roles);
  }
  expect(said).toContain('finance_officer of one agency');
  expect(await sandbox.rows(sql`select agencies from staff where email = 'agency@sandbox.example'`)).toEqual([
    { agencies: ['URA'] },
  ]);
  expect(await makeSandboxAccounts(sandbox.rail)).toBeNull();
  expect(sandbox.logged.join('')).not.toContain(password);
});

it('a live rail makes none', async () => {
  expect(await makeSandboxAccounts(live.rail)).toBeNull();
  expect(await live.count(sql`select 1 from staff`)).toBe(0);
});
