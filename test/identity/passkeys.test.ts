import { describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { tally } from '../harness/chaos/tally.ts';
import { LIVE } from '../harness/live.ts';
import { cookieOf } from '../harness/people/accounts.ts';
import { SoftPasskey } from '../harness/people/passkey.ts';
import { enrol, passCodes } from '../harness/people/second-factor.ts';
import { PASSWORD, type StaffActor, makeStaff } from '../harness/people/staff.ts';
import { testRail } from '../harness/rail.ts';

const ORIGIN = 'https://rail.example.org';
const rail = testRail({ BASE_URL: ORIGIN });
const live = testRail({ ...LIVE, DEV_REVEAL: 'off' });

const reasonOf = ({ json }: { json: { error?: { details?: { code?: string }[] } } }) => json.error?.details?.[0]?.code;

/** Adds a passkey to the login of somebody who has none yet. */
async function addPasskey({ post }: Pick<StaffActor, 'post'>, proof: object = {}) {
  const passkey = new SoftPasskey(ORIGIN);
  const { data } = await post('/v1/work/passkeys:begin', proof);
  const added = await post('/v1/work/passkeys', { label: 'Telephone', credential: passkey.create(data.options) });
  expect([added.status, added.text]).toEqual([200, expect.stringContaining('Telephone')]);
  return { passkey, id: added.data.passkey.id as string, codes: added.data.recovery_codes as string[] | null };
}

const begin = (email: string, on = rail) => on.ask('/v1/work/login:begin', { body: { email, password: PASSWORD } });
const complete = (body: object, on = rail) => on.ask('/v1/work/login:complete', { body });

describe('a passkey', () => {
  it('is added by a session, listed, and is the second step of each login from then on', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const other = cookieOf(await rail.ask('/v1/work/login', { body: { email: clerk.email, password: PASSWORD } }))!;
    const { passkey, codes } = await addPasskey(clerk);
    expect(new Set(codes).size).toBe(10);
    expect((await clerk.ask('/v1/work/passkeys')).data).toEqual([
      { id: expect.any(String), label: 'Telephone', last_used_at: null, created_at: expect.any(String) },
    ]);
    // It ends every other session, and the password alone opens none.
    expect((await rail.ask('/v1/work/whoami', { headers: { cookie: other } })).data.authenticated).toBe(false);
    const alone = await rail.ask('/v1/work/login', { body: { email: clerk.email, password: PASSWORD } });
    expect([alone.status, reasonOf(alone)]).toEqual([401, 'second_factor_code_required']);

    const { data } = await begin(clerk.email);
    expect(data).toMatchObject({ code_required: true, passkey_request: { rpId: 'rail.example.org' } });
    const entered = await complete({ attempt: data.attempt, passkey: passkey.get(data.passkey_request) });
    expect([entered.status, entered.data.email]).toEqual([200, clerk.email]);
    expect((await clerk.ask('/v1/work/passkeys')).data[0].last_used_at).not.toBeNull();
    // Whoever loses it has recovery codes.
    const again = await begin(clerk.email);
    expect((await complete({ attempt: again.data.attempt, code: codes![0] })).status).toBe(200);
    expect(
      await rail.rows(
        sql`select action, after from operator_audit where subject = ${clerk.email} order by id desc limit 1`,
      ),
    ).toEqual([{ action: 'staff.add_passkey', after: { passkey: 'Telephone' } }]);
    expect(
      await rail.count(sql`select 1 from mail where staff = ${clerk.email} and kind = 'staff/login_changed'`),
    ).toBe(1);
  });

  it('stands beside an authenticator app, whose code is asked for to add it; each proves what the other may', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const app = await enrol(rail, clerk.cookie);
    passCodes(rail);
    const refused = await clerk.post('/v1/work/passkeys:begin');
    expect([refused.status, reasonOf(refused)]).toEqual([401, 'second_factor_code_required']);
    const { passkey, codes } = await addPasskey(clerk, { code: app.code() });
    expect(codes).toBeNull();
    const { data } = await clerk.ask('/v1/work/passkeys:request');
    expect((await clerk.post('/v1/work/second-factor:remove', { passkey: passkey.get(data) })).status).toBe(200);
    // The recovery codes stay with the passkey.
    expect(
      (await complete({ attempt: (await begin(clerk.email)).data.attempt, code: app.recoveryCodes[0] })).status,
    ).toBe(200);
  });

  it('is removed on a proof; the last one takes the recovery codes with it', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const { passkey, id } = await addPasskey(clerk);
    const remove = (body: object) => clerk.post(`/v1/work/passkeys/${id}:remove`, body);
    expect(reasonOf(await remove({}))).toBe('second_factor_code_required');
    const another = await makeStaff(rail, 'clerk');
    expect((await another.post(`/v1/work/passkeys/${id}:remove`, {})).status).toBe(404);
    const { data } = await clerk.ask('/v1/work/passkeys:request');
    expect((await remove({ passkey: passkey.get(data) })).status).toBe(200);
    expect((await rail.ask('/v1/work/login', { body: { email: clerk.email, password: PASSWORD } })).status).toBe(200);
    expect(await rail.count(sql`select 1 from staff_recovery_code where staff = ${clerk.email}`)).toBe(0);
  });
});

describe('an answer of a passkey is refused', () => {
  /** Somebody whose login waits, and what they are asked with. */
  async function waiting() {
    const clerk = await makeStaff(rail, 'clerk');
    const { passkey } = await addPasskey(clerk);
    const { data } = await begin(clerk.email);
    const show = async (answer: object) => reasonOf(await complete({ attempt: data.attempt, passkey: answer }));
    return { clerk, passkey, show, attempt: data.attempt as string, request: data.passkey_request };
  }
  const WRONG = 'second_factor_code_wrong';

  it('from another origin, or for another host', async () => {
    const { passkey, show, request } = await waiting();
    expect(await show(passkey.get(request, { origin: 'https://rail.example.org.evil.example' }))).toBe(WRONG);
    expect(await show(passkey.get({ ...request, rpId: 'evil.example' }))).toBe(WRONG);
    expect(await show(passkey.get(request))).toBeUndefined();
  });

  it('shown twice, also where the passkey does not count, and at once', async () => {
    const { clerk, passkey, attempt, request } = await waiting();
    passkey.counter = -1;
    const answer = passkey.get(request);
    const answers = await Promise.all([1, 2, 3].map(() => complete({ attempt, passkey: answer })));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 401: 2 });
    const later = await begin(clerk.email);
    expect(reasonOf(await complete({ attempt: later.data.attempt, passkey: answer }))).toBe(WRONG);
  });

  it('to a challenge of this rail for somebody else, for another use, of a moment ago, or made up', async () => {
    const { passkey, show, request, clerk } = await waiting();
    const other = await waiting();
    expect(await show(passkey.get({ ...request, challenge: other.request.challenge }))).toBe(WRONG);
    const { data } = await (await makeStaff(rail, 'clerk')).post('/v1/work/passkeys:begin');
    expect(await show(passkey.get({ ...request, challenge: data.options.challenge }))).toBe(WRONG);
    expect(await show(passkey.get({ ...request, challenge: Buffer.alloc(41).toString('base64url') }))).toBe(WRONG);
    rail.advance(5.1 / 60);
    const { data: later } = await begin(clerk.email);
    expect(reasonOf(await complete({ attempt: later.attempt, passkey: passkey.get(request) }))).toBe(WRONG);
  });

  it("of another person's passkey, or of none that is known", async () => {
    const { show, request } = await waiting();
    const other = await waiting();
    expect(await show(other.passkey.get(request))).toBe(WRONG);
    expect(await show(new SoftPasskey(ORIGIN).get(request))).toBe(WRONG);
  });

  it('whose counter is no higher than before, as that of a copy is', async () => {
    const { clerk, passkey, show, request } = await waiting();
    passkey.counter = 7;
    expect(await show(passkey.get(request))).toBeUndefined();
    const { data } = await begin(clerk.email);
    passkey.counter = 7;
    const copied = passkey.get(data.passkey_request);
    expect(reasonOf(await complete({ attempt: data.attempt, passkey: copied }))).toBe(WRONG);
  });

  it('whose signature, or what it is of, was changed, or that is none at all', async () => {
    const { passkey, show, request } = await waiting();
    const answer = passkey.get(request);
    const flip = (text: string) => {
      const bytes = Buffer.from(text, 'base64url');
      bytes[bytes.length - 1]! ^= 1;
      return bytes.toString('base64url');
    };
    for (const part of ['signature', 'authenticatorData', 'clientDataJSON'] as const)
      expect(await show({ ...answer, response: { ...answer.response, [part]: flip(answer.response[part]) } })).toBe(
        WRONG,
      );
    expect(await show({ id: 'x' })).toBe(WRONG);
  });

  it('counts towards the lock of the login as a wrong code does', async () => {
    const { passkey, show, request, attempt } = await waiting();
    for (let tries = 0; tries < 5; tries++) expect(await show({ none: true })).toBe(WRONG);
    const locked = await complete({ attempt, passkey: passkey.get(request) });
    expect([locked.status, reasonOf(locked)]).toEqual([401, undefined]);
    expect(rail.logged.join('')).not.toContain(request.challenge);
  });
});

describe('a new passkey is refused', () => {
  it('from another origin, for a challenge of somebody else or one that was answered, and where it is known', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const other = await makeStaff(rail, 'clerk');
    const optionsOf = async ({ post }: StaffActor, proof = {}) =>
      (await post('/v1/work/passkeys:begin', proof)).data.options;
    const add = async (credential: object) =>
      reasonOf(await clerk.post('/v1/work/passkeys', { label: 'Key', credential }));
    const passkey = new SoftPasskey(ORIGIN);
    const options = await optionsOf(clerk);
    expect(await add(passkey.create(options, { origin: 'https://evil.example' }))).toBe('passkey_not_accepted');
    expect(await add(passkey.create(await optionsOf(other)))).toBe('passkey_not_accepted');
    expect(await add({ id: 'x' })).toBe('passkey_not_accepted');
    const made = passkey.create(options);
    expect((await clerk.post('/v1/work/passkeys', { label: 'Key', credential: made })).status).toBe(200);
    expect(await add(new SoftPasskey(ORIGIN).create(options))).toBe('passkey_not_accepted');
    const theirs = passkey.create(await optionsOf(other));
    const stolen = await other.post('/v1/work/passkeys', { label: 'Key', credential: theirs });
    expect([stolen.status, reasonOf(stolen)]).toEqual([422, 'passkey_not_accepted']);
    expect((await clerk.ask('/v1/work/passkeys')).data).toHaveLength(1);
  });

  it('where the rail is known by an IP address, and for nobody and keys', async () => {
    const { origin } = rail.rail;
    const clerk = await makeStaff(rail, 'clerk');
    rail.rail.origin = 'http://127.0.0.1:4000';
    const refused = await clerk.post('/v1/work/passkeys:begin');
    rail.rail.origin = origin;
    expect([refused.status, reasonOf(refused)]).toEqual([422, 'passkeys_unavailable']);
    const { plaintext: key } = await rail.key('assessments.write');
    for (const credential of [{}, { key }])
      expect((await rail.ask('/v1/work/passkeys:begin', { body: {}, ...credential })).status).toBe(401);
  });
});

describe('on a live rail', () => {
  it.each(['supervisor', 'finance_officer', 'auditor', 'oversight', 'admin', 'system_manager'] as const)(
    'a %s may do nothing without a second factor, for which a passkey serves; the last one stays',
    async (role) => {
      const { email, ask, post } = await makeStaff(live, role, { enrolled: false });
      const refused = await ask('/v1/assessments');
      expect([refused.status, reasonOf(refused)]).toEqual([403, 'second_factor_required']);
      expect((await ask('/v1/work/whoami')).data).toMatchObject({ scopes: [], second_factor_required: true });
      const { passkey, id } = await addPasskey({ post });
      expect((await ask('/v1/work/whoami')).data).not.toHaveProperty('second_factor_required');
      const { data } = await begin(email, live);
      const cookie = cookieOf(
        await complete({ attempt: data.attempt, passkey: passkey.get(data.passkey_request) }, live),
      )!;
      expect((await live.ask('/v1/work/whoami', { headers: { cookie } })).data.roles).toEqual([role]);
      const kept = await post(`/v1/work/passkeys/${id}:remove`, {});
      expect([kept.status, reasonOf(kept)]).toEqual([422, 'second_factor_kept']);
    },
  );

  it('an operator removes the passkeys of somebody who lost them', async () => {
    const admin = await makeStaff(live, 'admin');
    const { email, post } = await makeStaff(live, 'auditor', { enrolled: false });
    await addPasskey({ post });
    const reset = await admin.post(`/v1/ops/staff/${email}:reset-second-factor`, { reason: 'Lost' });
    expect([reset.status, reset.data.has_second_factor]).toEqual([200, false]);
    expect(await live.count(sql`select 1 from staff_passkey where staff = ${email}`)).toBe(0);
  });
});
