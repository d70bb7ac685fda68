import { describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { cookieOf } from '../harness/people/accounts.ts';
import { codeOf, enrol, passCodes } from '../harness/people/second-factor.ts';
import { PASSWORD, makeStaff } from '../harness/people/staff.ts';
import { LIVE } from '../harness/live.ts';
import { testRail } from '../harness/rail.ts';
import { tally } from '../harness/chaos/tally.ts';

const rail = testRail();
const live = testRail({ ...LIVE, DEV_REVEAL: 'off' });

const logIn = (email: string, code?: string, on = rail, password = PASSWORD) =>
  on.ask('/v1/work/login', { body: { email, password, ...(code !== undefined && { code }) } });
const reasonOf = ({ json }: { json: { error: { details?: { code?: string }[] } } }) => json.error.details?.[0]?.code;

const wait = (on = rail) => passCodes(on);

describe('POST /v1/work/second-factor:enrol and :confirm', () => {
  it('200: a secret that a code confirms; ten recovery codes; every login asks for a code from then on', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const { status, data } = await clerk.post('/v1/work/second-factor:enrol');
    expect(status).toBe(200);
    expect(data.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(data.otpauth_url).toBe(
      `otpauth://totp/Revenue%20Rail:${encodeURIComponent(clerk.email)}?secret=${data.secret}&issuer=Revenue%20Rail`,
    );
    expect((await logIn(clerk.email)).status).toBe(200);
    const confirmed = await clerk.post('/v1/work/second-factor:confirm', { code: codeOf(rail.rail, data.secret) });
    expect(confirmed.status).toBe(200);
    expect(new Set(confirmed.data.recovery_codes).size).toBe(10);
    const without = await logIn(clerk.email);
    expect(without).toMatchObject({ status: 401, code: 'invalid_credentials' });
    expect(reasonOf(without)).toBe('second_factor_code_required');
    wait();
    // As an authenticator shows it.
    const shown = codeOf(rail.rail, data.secret).replace(/^.{3}/, '$& ');
    expect((await logIn(clerk.email, shown)).status).toBe(200);
    const rows = await rail.rows<{ row: string }>(sql`
      select f::text || (select string_agg(r::text, '') from staff_recovery_code r where r.staff = f.staff) as row
      from staff_second_factor f where f.staff = ${clerk.email}`);
    const stored = rows[0]!.row + Buffer.from(rows[0]!.row.replaceAll(/[^0-9a-f]/g, ''), 'hex').toString('latin1');
    for (const secret of [data.secret, ...confirmed.data.recovery_codes]) expect(stored).not.toContain(secret);
    expect(rail.logged.join('')).not.toContain(data.secret);
  });

  it('ends every other session, and keeps the one that asks', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const other = cookieOf(await logIn(clerk.email))!;
    await enrol(rail, clerk.cookie);
    const whoami = (cookie: string) => rail.ask('/v1/work/whoami', { headers: { cookie } });
    expect((await whoami(other)).data.authenticated).toBe(false);
    expect((await whoami(clerk.cookie)).data.authenticated).toBe(true);
  });

  it('a second factor that there is changes only with a code of it, and counts until the next is confirmed', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const first = await enrol(rail, clerk.cookie);
    wait();
    const refused = await clerk.post('/v1/work/second-factor:enrol');
    expect([refused.status, reasonOf(refused)]).toEqual([401, 'second_factor_code_required']);
    const { data } = await clerk.post('/v1/work/second-factor:enrol', { code: first.code() });
    wait();
    expect((await logIn(clerk.email, first.code())).status).toBe(200);
    await clerk.post('/v1/work/second-factor:confirm', { code: codeOf(rail.rail, data.secret) });
    wait();
    expect((await logIn(clerk.email, first.code())).status).toBe(401);
    expect((await logIn(clerk.email, first.recoveryCodes[0])).status).toBe(401);
    expect((await logIn(clerk.email, codeOf(rail.rail, data.secret))).status).toBe(200);
  });

  it('200 again under the same Idempotency-Key, with the same answer', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const again = { 'idempotency-key': 'enrol' };
    const first = await clerk.post('/v1/work/second-factor:enrol', {}, again);
    expect((await clerk.post('/v1/work/second-factor:enrol', {}, again)).text).toBe(first.text);
    const body = { code: codeOf(rail.rail, first.data.secret) };
    const confirmed = await clerk.post('/v1/work/second-factor:confirm', body, { 'idempotency-key': 'confirm' });
    const repeated = await clerk.post('/v1/work/second-factor:confirm', body, { 'idempotency-key': 'confirm' });
    expect([confirmed.status, repeated.text]).toEqual([200, confirmed.text]);
  });

  it('401 for a wrong code, 422 where nothing waits or it has waited too long, 401 for nobody and for keys', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const confirm = (code: string) => clerk.post('/v1/work/second-factor:confirm', { code });
    expect(reasonOf(await confirm('123456'))).toBe('second_factor_not_enrolled');
    const { data } = await clerk.post('/v1/work/second-factor:enrol');
    for (const code of [codeOf(rail.rail, data.secret, 4), 'no code at all'])
      expect(await confirm(code)).toMatchObject({ status: 401, code: 'invalid_credentials' });
    expect(await clerk.post('/v1/work/second-factor:confirm', {})).toMatchObject({ status: 422 });
    rail.advance(1.01);
    const late = await makeStaff(rail, 'clerk');
    expect((await late.post('/v1/work/second-factor:confirm', { code: '123456' })).status).toBe(422);
    rail.advance(-1.01);
    const { plaintext: key } = await rail.key('assessments.write');
    for (const credential of [{}, { key }])
      expect(await rail.ask('/v1/work/second-factor:enrol', { body: {}, ...credential })).toMatchObject({
        status: 401,
      });
  });
});

describe('a code', () => {
  it('counts one step early and late, and once, however many logins show it at a time', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const app = await enrol(rail, clerk.cookie);
    wait();
    wait();
    for (const steps of [-2, 2]) expect((await logIn(clerk.email, app.code(steps))).status).toBe(401);
    expect((await logIn(clerk.email, app.code(-1))).status).toBe(200);
    expect(reasonOf(await logIn(clerk.email, app.code(-1)))).toBe('second_factor_code_wrong');
    const answers = await Promise.all([1, 2, 3].map(() => logIn(clerk.email, app.code(1))));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 401: 2 });
    expect((await logIn(clerk.email, app.code(0))).status).toBe(401);
  });

  it('for recovery counts once, however it is typed', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const [one, two] = (await enrol(rail, clerk.cookie)).recoveryCodes;
    expect((await logIn(clerk.email, ` ${one!.toLowerCase().replaceAll('-', ' ')} `)).status).toBe(200);
    expect((await logIn(clerk.email, one)).status).toBe(401);
    const answers = await Promise.all([1, 2, 3].map(() => logIn(clerk.email, two)));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 401: 2 });
  });

  it('that is wrong counts towards the lock as a wrong password does; one that is missing does not', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const app = await enrol(rail, clerk.cookie);
    wait();
    for (let i = 0; i < 8; i++) expect(reasonOf(await logIn(clerk.email))).toBe('second_factor_code_required');
    for (let i = 0; i < 5; i++) expect((await logIn(clerk.email, '000000')).status).toBe(401);
    const locked = await logIn(clerk.email, app.code());
    expect([locked.status, reasonOf(locked)]).toEqual([401, undefined]);
    rail.advance(15.1 / 60);
    expect((await logIn(clerk.email, app.code())).status).toBe(200);
    rail.advance(-15.1 / 60);
  });

  it('that is wrong is no oracle to whoever has a session alone: five lock it too', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const app = await enrol(rail, clerk.cookie);
    wait();
    const remove = (code: string) => clerk.post('/v1/work/second-factor:remove', { code });
    for (let i = 0; i < 5; i++) expect((await remove('000000')).status).toBe(401);
    expect(await remove(app.code())).toMatchObject({ status: 401 });
  });
});

describe('POST /v1/work/second-factor:remove', () => {
  it('200: removes it with its recovery codes, with an audit row; 422 where there is none', async () => {
    const clerk = await makeStaff(rail, 'clerk', { added: true });
    const none = await clerk.post('/v1/work/second-factor:remove', { code: '123456' });
    expect([none.status, reasonOf(none)]).toEqual([422, 'second_factor_not_enrolled']);
    const app = await enrol(rail, clerk.cookie);
    expect((await clerk.post('/v1/work/second-factor:remove', { code: app.recoveryCodes[0] })).status).toBe(200);
    expect((await logIn(clerk.email)).status).toBe(200);
    const audited = await rail.rows<{ action: string }>(
      sql`select action from operator_audit where subject = ${clerk.email} order by id`,
    );
    expect(audited.map(({ action }) => action)).toEqual([
      'staff.add',
      'staff.enrol_second_factor',
      'staff.remove_second_factor',
    ]);
  });
});

describe('on a live rail', () => {
  it('operators can do nothing without a second factor but enrol one, and then all', async () => {
    for (const role of ['admin', 'system_manager', 'finance_officer'] as const) {
      const { email, cookie, ask, post } = await makeStaff(live, role, { enrolled: false });
      expect((await ask('/v1/work/whoami')).data).toMatchObject({
        authenticated: true,
        roles: [role],
        scopes: [],
        second_factor_required: true,
      });
      for (const path of ['/v1/ops/staff', '/v1/ops/audit', '/v1/integrations', '/v1/assessments']) {
        const refused = await ask(path);
        expect([path, refused.status, refused.code, reasonOf(refused)]).toEqual([
          path,
          403,
          'forbidden',
          'second_factor_required',
        ]);
      }
      const graph = await post('/graphql', { query: '{ staff { nodes { email } } }' });
      expect(graph.json.errors[0].extensions.details[0].code).toBe('second_factor_required');
      const app = await enrol(live, cookie);
      const own = role === 'finance_officer' ? '/v1/payment-intents' : '/v1/ops/staff';
      expect((await ask(own)).status).toBe(200);
      expect((await ask('/v1/work/whoami')).data).not.toHaveProperty('second_factor_required');
      wait(live);
      const refused = await post('/v1/work/second-factor:remove', { code: app.code() });
      expect([refused.status, reasonOf(refused)]).toEqual([422, 'second_factor_kept']);
      const again = cookieOf(await logIn(email, app.code(), live))!;
      expect((await live.ask(own, { headers: { cookie: again } })).status).toBe(200);
    }
  });

  it('clerks may do without', async () => {
    const clerk = await makeStaff(live, 'clerk');
    expect((await clerk.ask('/v1/work/mdas')).status).toBe(200);
  });
});
