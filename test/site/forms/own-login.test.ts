import { describe, expect, it } from 'vitest';
import { PASSWORD, logIn, makeStaff } from '../../harness/people/staff.ts';
import { codeOf } from '../../harness/people/second-factor.ts';
import { testRail } from '../../harness/rail.ts';
import { sendForm } from './sending.ts';

const rail = testRail();

describe('the account page of staff', () => {
  it('changes a password, for whoever knows the present one', async () => {
    const { cookie, email } = await makeStaff(rail, 'clerk');
    const send = (currentPassword: string, newPassword: string) =>
      sendForm(rail, '/work/account/password', cookie, { currentPassword, newPassword, _page: '/work/account' });
    expect((await send('wrong', 'four unrelated words sail')).status).toBe(401);
    const weak = await send(PASSWORD, 'password1234');
    expect([weak.status, (await weak.text()).includes('aria-invalid="true"')]).toEqual([422, true]);
    const changed = await send(PASSWORD, 'four unrelated words sail');
    expect([changed.status, changed.headers.get('location')]).toEqual([303, '/work/account?done=passwordChanged']);
    expect((await logIn(rail, email, 'four unrelated words sail')).status).toBe(200);
  });

  it('enrols a second factor with a picture to scan, goes on after a wrong code, and shows recovery codes', async () => {
    const { cookie, ask } = await makeStaff(rail, 'clerk');
    const enrolling = await (await sendForm(rail, '/work/account/second-factor', cookie, {})).text();
    const secret = /<code id="secret">([A-Z2-7]+)<\/code>/.exec(enrolling)![1]!;
    expect(enrolling).toContain('<svg');
    expect(enrolling).not.toMatch(/ style=|<script(?! type="module" src)/);
    const confirm = (code: string) =>
      sendForm(rail, '/work/account/second-factor/confirm', cookie, {
        code,
        _mark: `mark-${code}`,
        _page: '/work/account/second-factor/confirm',
      });
    const wrong = await confirm('000000');
    expect([wrong.status, (await wrong.text()).includes('action="/work/account/second-factor/confirm"')]).toEqual([
      401,
      true,
    ]);
    const confirmed = await (await confirm(codeOf(rail.rail, secret))).text();
    const codes = /<code id="codes">([^<]+)<\/code>/.exec(confirmed)![1]!.trim().split(/\s+/);
    expect(new Set(codes).size).toBe(10);
    const [code] = codes as [string];
    const removed = await sendForm(rail, '/work/account/second-factor/remove', cookie, { code });
    expect(removed.headers.get('location')).toBe('/work/account?done=secondFactorRemoved');
    expect((await ask('/work/account')).text).toContain('You have none');
  });
});

describe('the audit pages', () => {
  it('are for auditors too, who are led nowhere else, and are not for clerks', async () => {
    const [auditor, clerk] = [
      await makeStaff(rail, 'auditor', { added: true }),
      await makeStaff(rail, 'clerk', { added: true }),
    ];
    const home = await auditor.ask('/work');
    expect(home.text).toContain('href="/console/audit"');
    expect(home.text).not.toContain('href="/console"');
    for (const path of ['/console/audit', '/console/citizen-access']) {
      const page = await auditor.ask(path);
      expect(page.status).toBe(200);
      expect(page.text).not.toContain('href="/console/staff"');
      expect((await clerk.ask(path)).status).toBe(403);
    }
    const day = rail.rail.now().toISOString().slice(0, 10);
    const rows = async (query: string) => (await auditor.ask(`/console/audit?${query}`)).text.split('<tr>').length;
    const added = await rows('action=staff.add');
    expect(added).toBeGreaterThan(2);
    expect(await rows(`action=staff.add&fromDate=${day}&toDate=${day}`)).toBe(added);
    expect(await rows('action=staff.add&toDate=2020-01-01')).toBe(1);
  });
});
