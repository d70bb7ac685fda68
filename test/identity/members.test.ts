import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { cookieOf } from '../harness/people/accounts.ts';
import { enrol } from '../harness/people/second-factor.ts';
import { PASSWORD, type StaffActor, logIn, mailedToken, makeStaff, mailedChanges } from '../harness/people/staff.ts';
import { TestRail, type Answer, testRail } from '../harness/rail.ts';
import { tally } from '../harness/chaos/tally.ts';

const rail = testRail();
const NEW_PASSWORD = 'four unrelated words sail';

const someone = () => `${randomUUID()}@agency.example`;
const reasonOf = ({ json }: Answer) => json.error?.details?.[0]?.code;
const verdictOf = (answer: Answer) => [answer.status, answer.code, reasonOf(answer)];
const invite = (by: StaffActor, body: object) =>
  by.post('/v1/ops/staff', { name: 'New Colleague', roles: ['clerk'], ...body });
const act = (by: StaffActor, email: string, verb: string) =>
  by.post(`/v1/ops/staff/${email}:${verb}`, { reason: 'It is time' });
const patch = (by: StaffActor, email: string, body: object) =>
  by.ask(`/v1/ops/staff/${email}`, { method: 'PATCH', body });
const accept = (token: string, password = NEW_PASSWORD, headers = {}) =>
  rail.ask('/v1/work/invitations:accept', { body: { token, password }, headers });
const actionsOn = async (email: string) =>
  (
    await rail.rows<{ action: string }>(sql`select action from operator_audit where subject = ${email} order by id`)
  ).map(({ action }) => action);

/** Somebody who was invited and has accepted. */
async function join(by: StaffActor, body: object = {}): Promise<string> {
  const email = someone();
  expect((await invite(by, { email, ...body })).status).toBe(200);
  expect((await accept(await mailedToken(rail, email, 'invitation'))).status).toBe(200);
  return email;
}

describe('POST /v1/ops/staff', () => {
  it('200: invites somebody, who accepts by the mailed link and then logs in', async () => {
    const admin = await makeStaff(rail, 'admin');
    const email = someone();
    const invited = await invite(admin, {
      email: email.toUpperCase(),
      roles: ['supervisor', 'clerk'],
      agencies: ['URA'],
    });
    expect(invited).toMatchObject({
      status: 200,
      data: { email, full_name: 'New Colleague', roles: ['clerk', 'supervisor'], agencies: ['URA'], status: 'Invited' },
    });
    expect(invited.data.active).toBe(false);
    expect((await logIn(rail, email, NEW_PASSWORD)).status).toBe(401);
    const token = await mailedToken(rail, email, 'invitation');
    expect(await accept(token)).toMatchObject({ status: 200, data: { message: expect.any(String) } });
    expect((await logIn(rail, email, NEW_PASSWORD)).data).toMatchObject({ roles: ['clerk', 'supervisor'] });
    expect((await admin.ask(`/v1/ops/staff/${email}`)).data).toMatchObject({ status: 'Active', active: true });
    expect(await actionsOn(email)).toEqual(['staff.invite', 'staff.accept_invitation']);
    const stored = await rail.rows<{ row: string }>(
      sql`select l::text as row from staff_link l where staff = ${email}`,
    );
    expect(stored.map(({ row }) => row).join()).not.toContain(token);
  });

  it('the link works once, however many follow it at a time, for 24 hours, and not once there is another', async () => {
    const admin = await makeStaff(rail, 'admin');
    const email = someone();
    await invite(admin, { email });
    const first = await mailedToken(rail, email, 'invitation');
    expect((await invite(admin, { email, name: 'Renamed', roles: ['supervisor'] })).data).toMatchObject({
      full_name: 'Renamed',
      roles: ['supervisor'],
    });
    expect(verdictOf(await accept(first))).toEqual([422, 'validation_failed', 'link_not_valid']);
    rail.advance(24.01);
    const second = await mailedToken(rail, email, 'invitation');
    expect(reasonOf(await accept(second))).toBe('link_not_valid');
    rail.advance(-24.01);
    const answers = await Promise.all([1, 2, 3].map(() => accept(second)));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 422: 2 });
    expect(reasonOf(await accept(second))).toBe('link_not_valid');
  });

  it('422: a password that is short, common, or made of the name; the link still works then', async () => {
    const admin = await makeStaff(rail, 'admin');
    const email = someone();
    await invite(admin, { email, name: 'Nakato Sarah' });
    const token = await mailedToken(rail, email, 'invitation');
    for (const password of ['short', 'password12345', 'qwertyuiop123', 'Nakato Sarah', email, 'aaaaaaaaaaaaaaaa'])
      expect((await accept(token, password)).status, password).toBe(422);
    expect(await accept(token, NEW_PASSWORD, { origin: 'https://evil.example' })).toMatchObject({ status: 403 });
    expect((await accept('nothing')).status).toBe(422);
    expect((await accept(token)).status).toBe(200);
  });

  it('200 again under the same Idempotency-Key: one letter, and one use of the link', async () => {
    const admin = await makeStaff(rail, 'admin');
    const email = someone();
    const body = { email, name: 'Once', roles: ['clerk'] };
    const answers = [1, 2].map(() => admin.post('/v1/ops/staff', body, { 'idempotency-key': `invite-${email}` }));
    for (const answer of await Promise.all(answers)) expect([200, 409]).toContain(answer.status);
    expect(await rail.count(sql`select 1 from mail where staff = ${email}`)).toBe(1);
    const token = await mailedToken(rail, email, 'invitation');
    for (let i = 0; i < 2; i++)
      expect((await accept(token, NEW_PASSWORD, { 'idempotency-key': 'accept' })).status).toBe(200);
  });

  it('401, 403, 409, 422', async () => {
    const admin = await makeStaff(rail, 'admin');
    const clerk = await makeStaff(rail, 'clerk');
    expect((await rail.ask('/v1/ops/staff', { body: { email: someone() } })).status).toBe(401);
    expect((await invite(clerk, { email: someone() })).status).toBe(403);
    expect(verdictOf(await invite(admin, { email: clerk.email }))).toEqual([409, 'duplicate_email', undefined]);
    for (const body of [
      { email: 'nobody' },
      { email: someone(), roles: [] },
      { email: someone(), roles: ['king'] },
      { email: someone(), agencies: ['NOWHERE'] },
      { email: someone(), name: ' ' },
      { email: someone(), roles: ['oversight'], agencies: ['URA'] },
      { email: someone(), roles: ['clerk', 'auditor'], agencies: ['URA'] },
    ])
      expect([(await invite(admin, body)).status, body]).toEqual([422, body]);
    const analyst = await makeStaff(rail, 'oversight');
    expect((await patch(admin, analyst.email, { agencies: ['URA'] })).status).toBe(422);
  });
});

describe('GET /v1/ops/staff', () => {
  it('200: by part of the name, role, agency and status', async () => {
    const admin = await makeStaff(rail, 'admin');
    const email = someone();
    await invite(admin, {
      email,
      name: `Zipporah Ng'ang'a ${email.slice(0, 8)}`,
      roles: ['finance_officer'],
      agencies: ['URA'],
    });
    const find = async (query: string) =>
      (await admin.ask(`/v1/ops/staff?limit=500&${query}`)).data.map((user: { email: string }) => user.email);
    for (const query of [
      `q=${email.slice(0, 8)}`,
      'q=Ng’anga',
      "q=ng'ang'a",
      'role=finance_officer',
      'agency=URA',
      'status=Invited',
    ])
      expect(await find(query), query).toContain(email);
    for (const query of ['q=nobody+at+all', 'role=clerk', 'agency=KCCA', 'status=Active'])
      expect(await find(query), query).not.toContain(email);
    expect((await admin.ask('/v1/ops/staff?status=Gone')).status).toBe(422);
    expect((await admin.ask('/v1/ops/staff/nobody@agency.example')).status).toBe(404);
    expect((await admin.ask('/v1/ops/staff/no-address')).status).not.toBe(500);
  });
});

describe('PATCH /v1/ops/staff/{email}', () => {
  it('200: name, roles and agencies hold from the very next request on, with an audit row', async () => {
    const admin = await makeStaff(rail, 'admin');
    const clerk = await makeStaff(rail, 'clerk');
    expect((await clerk.ask('/v1/work/shifts')).status).toBe(403);
    const changed = await patch(admin, clerk.email, { roles: ['supervisor'], agencies: ['URA'], name: 'Promoted' });
    expect(changed.data).toMatchObject({ full_name: 'Promoted', roles: ['supervisor'], agencies: ['URA'] });
    expect(await mailedChanges(rail, clerk.email)).toEqual(['You are a supervisor of the rail now.']);
    expect((await clerk.ask('/v1/work/shifts')).status).toBe(200);
    expect((await clerk.ask('/v1/work/whoami')).data.agencies).toEqual(['URA']);
    expect((await patch(admin, clerk.email, { agencies: ['*'] })).data.agencies).toEqual([]);
    const [audited] = await rail.rows<{ after: object; actor: string }>(sql`
      select after, actor from operator_audit where subject = ${clerk.email} and action = 'staff.update' order by id`);
    expect(audited).toEqual({
      actor: admin.email,
      after: { name: 'Promoted', roles: ['supervisor'], agencies: ['URA'] },
    });
  });

  it('403: nobody changes their own roles or agencies, though their name', async () => {
    const admin = await makeStaff(rail, 'admin');
    for (const body of [{ roles: ['admin', 'oversight'] }, { agencies: ['URA'] }])
      expect(verdictOf(await patch(admin, admin.email, body))).toEqual([403, 'forbidden', 'own_account']);
    expect((await patch(admin, admin.email, { name: 'Myself' })).status).toBe(200);
    for (const verb of ['deactivate', 'reactivate', 'reset-second-factor'])
      expect(verdictOf(await act(admin, admin.email, verb))).toEqual([403, 'forbidden', 'own_account']);
  });

  it('404 and 422', async () => {
    const admin = await makeStaff(rail, 'admin');
    const clerk = await makeStaff(rail, 'clerk');
    expect((await patch(admin, 'nobody@agency.example', { name: 'X' })).status).toBe(404);
    for (const body of [{ roles: [] }, { roles: ['king'] }, { agencies: ['NOWHERE'] }, { nothing: 1 }])
      expect((await patch(admin, clerk.email, body)).status).toBe(422);
  });
});

describe('a system manager', () => {
  it('manages staff, but neither admins nor system managers, nor makes them', async () => {
    const manager = await makeStaff(rail, 'system_manager');
    const email = await join(manager, { roles: ['clerk'] });
    expect((await patch(manager, email, { roles: ['finance_officer'] })).status).toBe(200);
    expect((await act(manager, email, 'end-sessions')).status).toBe(200);
    expect((await act(manager, email, 'deactivate')).status).toBe(200);
    expect((await act(manager, email, 'reactivate')).status).toBe(200);
    const refused = [403, 'forbidden', 'admins_only'];
    for (const roles of [['admin'], ['clerk', 'system_manager']]) {
      expect(verdictOf(await patch(manager, email, { roles }))).toEqual(refused);
      expect(verdictOf(await invite(manager, { email: someone(), roles }))).toEqual(refused);
    }
    for (const role of ['admin', 'system_manager'] as const) {
      const other = await makeStaff(rail, role);
      expect(verdictOf(await patch(manager, other.email, { roles: ['clerk'] }))).toEqual(refused);
      for (const verb of ['deactivate', 'reactivate', 'reset-second-factor', 'end-sessions'])
        expect(verdictOf(await act(manager, other.email, verb))).toEqual(refused);
    }
  });
});

describe(':deactivate and :reactivate', () => {
  it('200: every session ends on the very next request on every process, and holds no more afterwards', async () => {
    const other = new TestRail({ DATABASE_URL: rail.url });
    await other.start();
    try {
      const admin = await makeStaff(rail, 'admin');
      const clerk = await makeStaff(rail, 'clerk');
      const elsewhere = cookieOf(await logIn(other, clerk.email))!;
      const on = async (where: TestRail, cookie: string) =>
        (await where.ask('/v1/work/mdas', { headers: { cookie } })).status;
      expect([await on(rail, clerk.cookie), await on(other, elsewhere)]).toEqual([200, 200]);
      const gone = await act(admin, clerk.email, 'deactivate');
      expect(gone.data).toMatchObject({ status: 'Deactivated', active: false, deactivated_reason: 'It is time' });
      for (const where of [rail, other])
        expect([await on(where, clerk.cookie), await on(where, elsewhere)]).toEqual([401, 401]);
      expect((await logIn(other, clerk.email)).status).toBe(401);
      expect((await act(admin, clerk.email, 'reactivate')).data).toMatchObject({
        status: 'Active',
        deactivated_at: null,
      });
      for (const where of [rail, other])
        expect([await on(where, clerk.cookie), await on(where, elsewhere)]).toEqual([401, 401]);
      expect((await logIn(other, clerk.email)).status).toBe(200);
    } finally {
      await other.stop();
    }
  });

  it('ends a session that is opened at the same moment', async () => {
    const admin = await makeStaff(rail, 'admin');
    const clerk = await makeStaff(rail, 'clerk');
    const logins = Array.from({ length: 4 }, () => logIn(rail, clerk.email));
    await act(admin, clerk.email, 'deactivate');
    const cookies = (await Promise.all(logins)).flatMap((answer) => cookieOf(answer) ?? []);
    await act(admin, clerk.email, 'reactivate');
    for (const cookie of cookies) expect((await rail.ask('/v1/work/mdas', { headers: { cookie } })).status).toBe(401);
  });

  it('422 where there is nothing to do, and 404; an invitation that was not accepted works no more', async () => {
    const admin = await makeStaff(rail, 'admin');
    const email = someone();
    await invite(admin, { email });
    expect(verdictOf(await act(admin, email, 'reactivate'))).toEqual([422, 'validation_failed', 'staff_active']);
    expect((await act(admin, email, 'deactivate')).data.status).toBe('Deactivated');
    expect(reasonOf(await act(admin, email, 'deactivate'))).toBe('staff_not_active');
    expect(reasonOf(await accept(await mailedToken(rail, email, 'invitation')))).toBe('link_not_valid');
    expect((await invite(admin, { email })).status).toBe(409);
    expect((await act(admin, email, 'reactivate')).data.status).toBe('Invited');
    expect((await act(admin, 'nobody@agency.example', 'deactivate')).status).toBe(404);
    expect((await admin.post(`/v1/ops/staff/${email}:deactivate`, {})).status).toBe(422);
  });

  it('200 again under the same Idempotency-Key', async () => {
    const admin = await makeStaff(rail, 'admin');
    const clerk = await makeStaff(rail, 'clerk');
    const again = () =>
      admin.post(`/v1/ops/staff/${clerk.email}:deactivate`, { reason: 'Left' }, { 'idempotency-key': clerk.email });
    const first = await again();
    expect([first.status, (await again()).text]).toEqual([200, first.text]);
  });
});

describe(':end-sessions and :reset-second-factor', () => {
  it('200: all sessions end; the login stays', async () => {
    const admin = await makeStaff(rail, 'admin');
    const clerk = await makeStaff(rail, 'clerk');
    expect((await act(admin, clerk.email, 'end-sessions')).status).toBe(200);
    expect((await clerk.ask('/v1/work/mdas')).status).toBe(401);
    expect((await logIn(rail, clerk.email)).status).toBe(200);
  });

  it('200: the second factor and its recovery codes are gone; 422 where there is none', async () => {
    const admin = await makeStaff(rail, 'admin');
    const clerk = await makeStaff(rail, 'clerk');
    expect(reasonOf(await act(admin, clerk.email, 'reset-second-factor'))).toBe('second_factor_not_enrolled');
    await enrol(rail, clerk.cookie);
    expect((await act(admin, clerk.email, 'reset-second-factor')).data.has_second_factor).toBe(false);
    expect((await clerk.ask('/v1/work/mdas')).status).toBe(401);
    expect((await logIn(rail, clerk.email, PASSWORD)).status).toBe(200);
    expect(await rail.count(sql`select 1 from staff_recovery_code where staff = ${clerk.email}`)).toBe(0);
  });
});
