import { beforeEach, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { tally } from '../harness/chaos/tally.ts';
import { SoftPasskey } from '../harness/people/passkey.ts';
import { type Authenticator, enrol, passCodes } from '../harness/people/second-factor.ts';
import { PASSWORD, type StaffActor, mailedToken, makeStaff, mailedChanges } from '../harness/people/staff.ts';
import { testRail } from '../harness/rail.ts';

const ORIGIN = 'https://rail.example.org';
const rail = testRail({ TRUST_PROXY: '1', BASE_URL: ORIGIN });
const NEXT = 'four unrelated words sail';

/** Someone whose password is known to a stranger, with their authenticator app. */
let clerk: StaffActor;
let app: Authenticator;
/** Each try comes from a network of its own, so that none of them is locked. */
let networks = 0;

beforeEach(async () => {
  clerk = await makeStaff(rail, 'clerk');
  app = await enrol(rail, clerk.cookie);
  passCodes(rail);
});

const elsewhere = () => ({ 'x-forwarded-for': `10.9.${++networks >> 8}.${networks & 255}` });
const logIn = (code: string, password = PASSWORD) =>
  rail.ask('/v1/work/login', { body: { email: clerk.email, password, code }, headers: elsewhere() });
const reasonOf = ({ json }: { json: { error?: { details?: { code?: string }[] } } }) => json.error?.details?.[0]?.code;

async function guess(times: number): Promise<void> {
  for (let i = 0; i < times; i++) expect(reasonOf(await logIn('no code at all'))).toBe('second_factor_code_wrong');
}

/** As if so many wrong codes had come before, over many days. */
const countAsWrong = (codes: number) =>
  rail.rows(sql`
    insert into staff_wrong_codes (staff, codes, warned_at) values (${clerk.email}, ${codes}, now())
    on conflict (staff) do update set codes = excluded.codes, warned_at = excluded.warned_at`);
async function countWarnings(): Promise<number> {
  return (await mailedChanges(rail, clerk.email)).filter((mail) => mail.includes('10 wrong codes')).length;
}
const findAnomalies = () =>
  rail.rows(sql`
    select severity, evidence - 'network' as evidence from anomaly
    where kind = 'wrong_codes' and starts_with(subject, ${clerk.email})`);

it('the tenth after a right password mails its owner and raises an anomaly, once', async () => {
  await guess(9);
  expect([await countWarnings(), await findAnomalies()]).toEqual([0, []]);
  await guess(7);
  expect(await countWarnings()).toBe(1);
  expect(await findAnomalies()).toEqual([{ severity: 'high', evidence: { staff: clerk.email, codes: 10 } }]);
});

it('are forgotten with a right one, and those without a right password are not counted', async () => {
  await guess(9);
  expect((await logIn(app.code())).status).toBe(200);
  for (let i = 0; i < 4; i++) expect(reasonOf(await logIn('no code at all', 'not the password'))).toBeUndefined();
  await guess(9);
  expect([await countWarnings(), await findAnomalies()]).toEqual([0, []]);
});

it('lock the second factor from the fiftieth on, which who lacks the password does not learn', async () => {
  await countAsWrong(49);
  await guess(1);
  expect(reasonOf(await logIn(app.code()))).toBe('second_factor_locked');
  expect(reasonOf(await logIn(app.recoveryCodes[0]!))).toBe('second_factor_locked');
  const removed = await clerk.post('/v1/work/second-factor:remove', { code: app.code() });
  expect([removed.status, removed.code, reasonOf(removed)]).toEqual([
    401,
    'invalid_credentials',
    'second_factor_locked',
  ]);
  const unknown = { email: 'nobody@agency.example', password: PASSWORD, code: '123456' };
  const [stranger, nobody] = [
    await logIn(app.code(), 'not the password'),
    await rail.ask('/v1/work/login', { body: unknown, headers: elsewhere() }),
  ];
  expect(stranger.json.error).toEqual({ ...nobody.json.error, request_id: stranger.json.error.request_id });
});

it('are counted of passkeys too, and a locked one proves nothing', async () => {
  const passkey = new SoftPasskey(ORIGIN);
  const { data } = await clerk.post('/v1/work/passkeys:begin', { code: app.code() });
  await clerk.post('/v1/work/passkeys', { label: 'Telephone', credential: passkey.create(data.options) });
  const prove = async (answerer: SoftPasskey) => {
    const headers = elsewhere();
    const begun = await rail.ask('/v1/work/login:begin', { body: { email: clerk.email, password: PASSWORD }, headers });
    const { attempt, passkey_request: request } = begun.data;
    return rail.ask('/v1/work/login:complete', { body: { attempt, passkey: answerer.get(request) }, headers });
  };
  const copy = new SoftPasskey(ORIGIN);
  copy.create(data.options);
  await countAsWrong(48);
  expect(reasonOf(await prove(copy))).toBe('second_factor_code_wrong');
  expect((await prove(passkey)).status).toBe(200);
  await countAsWrong(49);
  expect(reasonOf(await prove(copy))).toBe('second_factor_code_wrong');
  expect(reasonOf(await prove(passkey))).toBe('second_factor_locked');
});

it('count no more once the password is reset by a mailed link, which changing it in a session is not', async () => {
  await countAsWrong(50);
  const changed = await clerk.post('/v1/work/password', { current_password: PASSWORD, new_password: `${NEXT} on` });
  expect(changed.status).toBe(200);
  expect(reasonOf(await logIn(app.code(), `${NEXT} on`))).toBe('second_factor_locked');
  await rail.ask('/v1/work/password-reset:request', { body: { email: clerk.email }, headers: elsewhere() });
  const token = await mailedToken(rail, clerk.email, 'password_reset');
  expect((await rail.ask('/v1/work/password-reset:complete', { body: { token, password: NEXT } })).status).toBe(200);
  expect((await logIn(app.code(), NEXT)).status).toBe(200);
});

it('count no more once an operator resets the second factor', async () => {
  await countAsWrong(50);
  const admin = await makeStaff(rail, 'admin');
  const path = `/v1/ops/staff/${clerk.email}:reset-second-factor`;
  expect((await admin.post(path, { reason: 'Lost the telephone' })).status).toBe(200);
  const again = await rail.ask('/v1/work/login', { body: { email: clerk.email, password: PASSWORD } });
  expect(again.status).toBe(200);
  expect(await rail.count(sql`select 1 from staff_wrong_codes where staff = ${clerk.email}`)).toBe(0);
});

it('are no more than fifty however many come at once, and warn once', async () => {
  await countAsWrong(30);
  await rail.rows(sql`update staff_wrong_codes set warned_at = null where staff = ${clerk.email}`);
  const answers = await Promise.all(Array.from({ length: 40 }, () => logIn('no code at all')));
  expect(tally(answers.map((answer) => reasonOf(answer) ?? answer.text))).toEqual({
    second_factor_code_wrong: 20,
    second_factor_locked: 20,
  });
  expect([await countWarnings(), (await findAnomalies()).length]).toEqual([1, 1]);
});
