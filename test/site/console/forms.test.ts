import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { cookieOf, makeAccount } from '../../harness/people/accounts.ts';
import { makeAgency, makePair } from '../../harness/people/agency.ts';
import { closeWith } from '../../harness/people/counter.ts';
import { type StaffActor, logIn, makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { sendForm } from '../forms/sending.ts';

const rail = testRail({ DEV_REVEAL: 'on' });
let operator: StaffActor;

beforeAll(async () => {
  operator = await makeStaff(rail, 'admin', 'supervisor');
});

/** Opens a page, sends a form that it shows, and answers where that leads, or what it says. */
async function send(page: string, action: string, fields: Readonly<Record<string, string>>) {
  const shown = await operator.ask(page, { headers: { accept: 'text/html' } });
  expect([shown.status, shown.text.includes(`action="${action}"`)], page).toEqual([200, true]);
  for (const name of Object.keys(fields)) expect(shown.text, page).toContain(`name="${name}"`);
  const answer = await sendForm(rail, action, operator.cookie, { _page: page, ...fields });
  return { status: answer.status, to: answer.headers.get('location'), text: await answer.text() };
}

const statusOf = async (path: string, key: string) => (await rail.ask(path, { key })).status;

describe('an operator of accounts', () => {
  it('suspends an account, whose keys end at once, and has it work again', async () => {
    const { integrator, key } = await makeAccount(rail);
    const page = `/console/integrators/${integrator}`;
    const blank = await send(page, `${page}/suspend`, { reason: ' ' });
    expect([blank.status, blank.text.includes('role="alert"'), await statusOf('/v1/me', key)]).toEqual([
      422,
      true,
      200,
    ]);
    const suspended = await send(page, `${page}/suspend`, { reason: 'They asked' });
    expect([suspended.to, await statusOf('/v1/me', key)]).toEqual([`${page}?done=integratorSuspended`, 401]);
    const again = await send(page, `${page}/reactivate`, { reason: 'They asked again' });
    expect([again.to, await statusOf('/v1/me', key)]).toEqual([`${page}?done=integratorReactivated`, 200]);
  });

  it('refuses a request to go live, and says why', async () => {
    const { integrator, key } = await makeAccount(rail);
    await rail.ask('/v1/me:request-live', { key, body: { agencies: ['URA'], channels: ['mtn_momo'] } });
    const [request] = await rail.rows<{ id: string }>(
      sql`select name as id from live_request where integrator = ${integrator}`,
    );
    const page = `/console/live-requests/${request!.id}`;
    const refused = await send(page, `${page}/refuse`, { reason: 'No <b>contract</b> yet' });
    expect(refused.to).toBe(`${page}?done=liveRefused`);
    expect((await operator.ask(page)).text).toContain('No &lt;b&gt;contract&lt;/b&gt; yet');
  });

  it('rotates a key: both work, and the new one is shown this once', async () => {
    const { key, keyName } = await makeAccount(rail);
    const page = `/console/keys/${keyName}`;
    const rotated = await send(page, `${page}/rotate`, { graceHours: '2' });
    const [, plaintext = ''] = /<code id="\w+">([^<]+)</.exec(rotated.text) ?? [];
    expect([await statusOf('/v1/me', plaintext), await statusOf('/v1/me', key)]).toEqual([200, 200]);
    expect((await operator.ask(page)).text).not.toContain(plaintext);
  });

  it('rolls the key of an agency, and revokes the one before', async () => {
    const agency = await makeAgency(rail);
    const page = `/console/agency-keys/${agency.key}`;
    const { pem } = await makePair();
    const rolled = await send(page, `${page}/roll`, { publicKey: pem, graceHours: '1' });
    expect(rolled.to).toMatch(/^\/console\/agency-keys\/[\w-]+\?done=agencyKeyRolled$/);
    expect((await agency.ask(await agency.sign())).status).toBe(200);
    expect((await send(page, `${page}/revoke`, { reason: 'Rolled' })).to).toBe(`${page}?done=agencyKeyRevoked`);
    expect((await agency.ask(await agency.sign())).status).not.toBe(200);
  });
});

describe('an operator of staff', () => {
  it('deactivates a colleague, whose session ends, and lets them work again', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const page = `/console/staff/${encodeURIComponent(clerk.email)}`;
    const open = async () => (await clerk.ask('/counter')).status;
    expect(await open()).toBe(200);
    const gone = await send(page, `${page}/deactivate`, { reason: 'On leave' });
    expect([gone.status, await open(), (await logIn(rail, clerk.email)).status]).toEqual([303, 303, 401]);
    expect((await send(page, `${page}/reactivate`, { reason: 'Back' })).status).toBe(303);
    expect((await logIn(rail, clerk.email)).status).toBe(200);
  });

  it('grants a colleague emergency access, and removes it again, but not their own', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const page = `/console/staff/${encodeURIComponent(clerk.email)}`;
    const hasAccess = async () =>
      (await rail.rows<{ is: boolean }>(sql`select break_glass as is from staff where email = ${clerk.email}`))[0]!.is;
    for (const breakGlass of ['true', 'false']) {
      const refused = await send(page, `${page}/break-glass`, { breakGlass, reason: '' });
      expect([refused.status, await hasAccess()]).toEqual([422, breakGlass === 'false']);
      const set = await send(page, `${page}/break-glass`, { breakGlass, reason: 'On call' });
      expect([set.to, await hasAccess()]).toEqual([`${page}?done=breakGlassSet`, breakGlass === 'true']);
    }
    const own = `/console/staff/${encodeURIComponent(operator.email)}`;
    expect((await operator.ask(own)).text).not.toContain('name="breakGlass"');
    const forged = await sendForm(rail, `${own}/break-glass`, operator.cookie, {
      _page: own,
      breakGlass: 'true',
      reason: 'For me',
    });
    expect([forged.status, (await forged.text()).includes('Ask another operator')]).toEqual([403, true]);
  });

  it('ends one session of somebody, and no other', async () => {
    const { email, cookie } = await makeStaff(rail, 'clerk');
    const cookies = [cookie, cookieOf(await logIn(rail, email))!];
    const page = `/console/sessions?owner=${encodeURIComponent(email)}`;
    const [, action] = /action="(\/console\/sessions\/[^"]+\/end)"/.exec((await operator.ask(page)).text)!;
    expect((await send(page, action!, { reason: 'Not theirs' })).to).toBe('/console/sessions?done=sessionEnded');
    const answers = cookies.map((one) => rail.ask('/counter', { headers: { cookie: one } }));
    expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200, 303]));
  });
});

describe('the anomaly of a till that was short', () => {
  it('is resolved together with its variance', async () => {
    const { shift } = await closeWith(rail, -20_000);
    const [anomaly] = await rail.rows<{ id: string }>(
      sql`select name as id from anomaly where kind = 'cash_variance' and subject = ${shift}`,
    );
    const page = `/console/anomalies/${anomaly!.id}`;
    const decided = await send(page, `${page}/resolve`, { note: 'The camera shows it', variance: 'approve' });
    expect(decided.to).toBe(`${page}?done=anomalyResolved`);
    const [row] = await rail.rows<{ status: string; by: string }>(
      sql`select variance_status::text as status, variance_decided_by as by from counter_shift where name = ${shift}`,
    );
    expect(row).toEqual({ status: 'Approved', by: operator.email });
  });
});
