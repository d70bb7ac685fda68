import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { beforeAll, describe, expect, it } from 'vitest';
import { openRail } from '../../../src/app/open-rail.ts';
import { buildServer } from '../../../src/app/server.ts';
import { createLog } from '../../../src/kernel/log.ts';
import { commandLine } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { sendMail } from '../../../src/platform/mail/send.ts';
import { LIVE } from '../../harness/live.ts';
import { approveByAnother, letGoLive, makeTrialAccount } from '../../harness/people/going-live.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { type Answer, testRail } from '../../harness/rail.ts';

const rail = testRail(LIVE);
const NOT_LIVE = 'Not live yet: ask for it with POST /v1/me:request-live';
const STANDARD = ['citizens.read', 'assessments.write', 'payments.initiate'];

let operator: StaffActor;
beforeAll(async () => {
  operator = await makeStaff(rail, 'system_manager');
});

const post = (key: string, path: string, body: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  rail.ask(path, { key, body, headers });
const request = (key: string, body: object = { agencies: ['URA'], channels: ['cash'] }) =>
  post(key, '/v1/me:request-live', body);
const decide = (name: string, verb: 'approve' | 'refuse', body: object = {}) =>
  operator.post(`/v1/ops/live-requests/${name}:${verb}`, body);
const issue = (key: string) => post(key, '/v1/me/keys', { label: 'Live', scopes: STANDARD, manages_account: true });

/** The text of the last letter to an address, sent as the job sends it. */
async function lastLetterTo(email: string): Promise<string> {
  const [row] = await rail.rows<{ id: string }>(sql`
    select m.id from mail m join integrator i on i.code = m.integrator
    where i.contact_email = ${email} and m.kind like 'live%' order by m.created_at desc limit 1`);
  await sendMail(callOf(rail.rail, commandLine, 'test'), row!.id);
  const folder = join(rail.dataDir, 'mail');
  const letters = await Promise.all(
    readdirSync(folder).map((file) => PostalMime.parse(readFileSync(join(folder, file)))),
  );
  const letter = letters.findLast(({ to }) => to?.[0]?.address === email)!;
  return `${letter.subject}\n${letter.text}`.replaceAll(/\s+/g, ' ');
}

const reasonOf = (answer: Answer) => answer.json.error.details[0].code;

describe('whoever signs up on a live rail', () => {
  it('gets a sandbox key, which is good for the catalogue and the account alone', async () => {
    const { key, integrator } = await makeTrialAccount(rail);
    expect(key).toMatch(/^rail_sandbox_/);
    expect((await rail.ask('/v1/me', { key })).data).toMatchObject({
      code: integrator,
      tier: 'sandbox',
      allowed_channels: [],
      allowed_agencies: [],
    });
    for (const path of [
      '/v1/me/keys',
      '/v1/me/live-requests',
      '/v1/me/logs',
      '/v1/mdas',
      '/v1/services',
      '/v1/session',
    ])
      expect((await rail.ask(path, { key })).status, path).toBe(200);
    for (const path of ['/v1/citizens', '/v1/citizens/search?nin=CF93042100ABCD', '/v1/assessments'])
      expect(await rail.ask(path, { key }), path).toMatchObject({
        status: 403,
        code: 'forbidden',
        json: { error: { message: NOT_LIVE } },
      });
    expect((await post(key, '/v1/payment-intents', {})).json.error.message).toBe(NOT_LIVE);
    const second = await issue(key);
    expect(second.data.plaintext).toMatch(/^rail_sandbox_/);
    const rotated = await post(second.data.plaintext, `/v1/me/keys/${second.data.key.name}:rotate`);
    expect(rotated.data.plaintext).toMatch(/^rail_sandbox_/);
    const issued = await operator.post('/v1/ops/keys', { integrator, label: 'Theirs', scopes: ['oversight.read'] });
    expect(issued.data.key.prefix).toBe('rail_sandbox_');
    expect((await rail.ask('/v1/oversight/revenue', { key: issued.data.plaintext })).status).toBe(403);
  });

  it('goes live when operators approve what it asks for, and is mailed so', async () => {
    const { key, integrator, email } = await makeTrialAccount(rail);
    const asked = await request(key, {
      agencies: ['URA', 'KCCA'],
      channels: ['mtn_momo', 'cash'],
      note: ' We file taxes ',
    });
    const { name } = asked.data;
    expect(asked.data).toMatchObject({
      name: expect.stringMatching(/^LIVE-\d{4}-\d{6}$/),
      status: 'Pending',
      agencies: ['URA', 'KCCA'],
      channels: ['mtn_momo', 'cash'],
      note: 'We file taxes',
      approved_agencies: [],
    });
    const list = (query: string) => operator.ask(`/v1/ops/live-requests?integrator=${integrator}&${query}`);
    expect((await list('status=Pending')).data).toMatchObject([{ name, integrator, decided_by: null }]);
    const waiting = await decide(name, 'approve', { agencies: ['URA'], limit_per_minute: 90 });
    const proposal = {
      request: name,
      pricing_tier: 'free',
      agencies: ['URA'],
      channels: ['mtn_momo', 'cash'],
      limit_per_minute: 90,
    };
    expect(waiting.data).toMatchObject({ status: 'Pending', decided_by: null, pending_approval: { proposal } });
    expect((await rail.ask('/v1/me', { key })).data.tier).toBe('sandbox');
    expect((await decide(name, 'approve')).json.error.details[0].code).toBe('approval_pending');
    const second = await approveByAnother(rail, waiting.data.pending_approval.name);
    const approved = await operator.ask(`/v1/ops/live-requests/${name}`);
    expect(approved.data).toMatchObject({
      status: 'Approved',
      agencies: ['URA', 'KCCA'],
      approved_agencies: ['URA'],
      approved_channels: ['mtn_momo', 'cash'],
      limit_per_minute: 90,
      decided_by: second.email,
      pending_approval: null,
    });
    expect((await list('status=Pending')).data).toEqual([]);
    const me = await rail.ask('/v1/me', { key });
    expect(me.data).toMatchObject({
      tier: 'live',
      allowed_agencies: ['URA'],
      allowed_channels: ['mtn_momo', 'cash'],
      limit_per_minute: 90,
    });
    expect(me.headers.get('ratelimit-policy')).toBe('"key";q=90;w=60');
    expect((await rail.ask('/v1/me/live-requests', { key })).data).toMatchObject([{ name, status: 'Approved' }]);
    expect(await lastLetterTo(email)).toMatch(
      /^Your account is live .*for URA, by mtn_momo and cash\. Issue a live key with POST \/v1\/me\/keys/,
    );
    const issued = await issue(key);
    expect(issued.data).toMatchObject({
      plaintext: expect.stringMatching(/^rail_live_/),
      key: { prefix: 'rail_live_' },
    });
    expect((await rail.ask('/v1/assessments', { key: issued.data.plaintext })).status).toBe(200);
    // The first key stays what it is.
    expect((await rail.ask('/v1/assessments', { key })).json.error.message).toMatch(/^This is a sandbox key/);
    expect((await operator.ask(`/v1/ops/audit?subject=${integrator}`)).data).toMatchObject([
      {
        actor: second.email,
        action: 'integrator.approve_live',
        before: { tier: 'sandbox', allowed_agencies: [], limit_per_minute: null, asked_by: operator.email },
        after: { tier: 'live', allowed_agencies: ['URA'], limit_per_minute: 90, request: name },
      },
      { actor: operator.email, action: 'approval.request', after: { kind: 'live' } },
    ]);
  });

  it('is refused with a reason, is mailed so, and may ask again', async () => {
    const { key, integrator, email } = await makeTrialAccount(rail);
    const { name } = (await request(key)).data;
    expect((await decide(name, 'refuse', { reason: ' ' })).status).toBe(422);
    const refused = await decide(name, 'refuse', { reason: 'Send us your licence' });
    expect(refused.data).toMatchObject({ status: 'Refused', reason: 'Send us your licence', approved_agencies: [] });
    expect(await lastLetterTo(email)).toMatch(/^Your request to go live was refused .*Send us your licence/);
    expect((await rail.ask('/v1/me', { key })).data.tier).toBe('sandbox');
    expect((await rail.ask('/v1/me/live-requests?status=Refused', { key })).data).toMatchObject([
      { name, reason: 'Send us your licence' },
    ]);
    expect((await request(key)).status).toBe(200);
    expect((await operator.ask(`/v1/ops/audit?subject=${integrator}`)).data).toMatchObject([
      { action: 'integrator.refuse_live', reason: 'Send us your licence', after: { request: name } },
    ]);
  });

  it('has its live keys stopped by a lower tier, on every process, from the next request on', async () => {
    const account = await makeTrialAccount(rail);
    await letGoLive(rail, account, operator);
    const { plaintext: key } = (await issue(account.key)).data;
    const { rail: other, close } = await openRail(readConfig({ ...LIVE, DATABASE_URL: rail.url }), createLog('silent'));
    const server = createServer(buildServer(other));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    try {
      const headers = { authorization: `Bearer ${key}` };
      const statuses = () =>
        Promise.all(
          [rail.origin, `http://127.0.0.1:${port}`].map(
            async (origin) => (await fetch(`${origin}/v1/assessments`, { headers })).status,
          ),
        );
      expect(await statuses()).toEqual([200, 200]);
      const path = `/v1/ops/integrators/${account.integrator}`;
      await operator.ask(path, { method: 'PATCH', body: { tier: 'sandbox', reason: 'Licence withdrawn' } });
      expect(await statuses()).toEqual([403, 403]);
      expect((await rail.ask('/v1/assessments', { key })).json.error.message).toBe(NOT_LIVE);
      expect((await issue(key)).data.plaintext).toMatch(/^rail_sandbox_/);
      const asked = await operator.ask(path, { method: 'PATCH', body: { tier: 'live' } });
      expect(asked.data.tier).toBe('sandbox');
      await approveByAnother(rail, asked.data.pending_approval.name);
      expect(await statuses()).toEqual([200, 200]);
    } finally {
      await new Promise((closed) => server.close(closed));
      await close();
    }
  });
});

describe('a request to go live', () => {
  it('401, 403, 404 and 422', async () => {
    const { key } = await makeTrialAccount(rail);
    const body = { agencies: ['URA'], channels: ['cash'] };
    expect((await rail.ask('/v1/me:request-live', { body })).status).toBe(401);
    const { plaintext: lesser } = (await post(key, '/v1/me/keys', { label: 'x', scopes: STANDARD })).data;
    expect((await post(lesser, '/v1/me:request-live', body)).status).toBe(403);
    for (const wrong of [
      { ...body, agencies: [] },
      { ...body, agencies: ['NOBODY'] },
      { ...body, agencies: ['*', 'URA'] },
      { ...body, channels: [] },
      { ...body, channels: ['cheque'] },
      { ...body, channels: ['constructor'] },
      { ...body, note: 'x'.repeat(1_001) },
      {},
    ])
      expect((await request(key, wrong)).status, JSON.stringify(wrong)).toBe(422);
    expect((await decide('LIVE-2020-000001', 'approve')).status).toBe(404);
    expect((await decide('LIVE-2020-000001', 'refuse', { reason: 'x' })).status).toBe(404);
    expect((await operator.ask('/v1/ops/live-requests/LIVE-2020-000001')).status).toBe(404);
    const { name } = (await request(key)).data;
    for (const wrong of [{ agencies: [] }, { channels: ['cheque'] }, { limit_per_minute: 0 }])
      expect((await decide(name, 'approve', wrong)).status, JSON.stringify(wrong)).toBe(422);
    expect((await operator.ask(`/v1/ops/live-requests/${name}`)).data.status).toBe('Pending');
    const clerk = await makeStaff(rail, 'clerk');
    expect((await clerk.post(`/v1/ops/live-requests/${name}:approve`)).status).toBe(403);
  });

  it('waits one at a time, is decided once, and not for a suspended account', async () => {
    const { key, integrator } = await makeTrialAccount(rail);
    const answers = await Promise.all([request(key), request(key), request(key)]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 422, 422]);
    expect(reasonOf(answers.find(({ status }) => status === 422)!)).toBe('live_request_pending');
    const { name } = answers.find(({ status }) => status === 200)!.data;
    await operator.post(`/v1/ops/integrators/${integrator}:suspend`, { reason: 'Abuse' });
    expect(reasonOf(await decide(name, 'approve'))).toBe('account_not_active');
    await operator.post(`/v1/ops/integrators/${integrator}:reactivate`, { reason: 'Explained' });
    const { pending_approval: approval } = (await decide(name, 'approve')).data;
    const second = await makeStaff(rail, 'admin');
    const decided = await Promise.all([
      second.post(`/v1/ops/approvals/${approval.name}:approve`),
      decide(name, 'refuse', { reason: 'No' }),
      second.post(`/v1/ops/approvals/${approval.name}:approve`),
    ]);
    expect(decided.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422]);
    const won = decided.find(({ status }) => status === 200)!.data.status;
    expect((await rail.ask('/v1/me', { key })).data.tier).toBe(won === 'Approved' ? 'live' : 'sandbox');
    expect(
      (await operator.ask(`/v1/ops/audit?subject=${integrator}&action=integrator.approve_live`)).data,
    ).toHaveLength(won === 'Approved' ? 1 : 0);
  });

  it('answers a repetition under its idempotency key alike, and mails once', async () => {
    const { key, integrator } = await makeTrialAccount(rail);
    const once = { 'idempotency-key': `once-${integrator}` };
    const body = { agencies: ['*'], channels: ['*'] };
    const [first, again] = [
      await post(key, '/v1/me:request-live', body, once),
      await post(key, '/v1/me:request-live', body, once),
    ];
    expect(again.data).toEqual(first.data);
    const approve = () => operator.post(`/v1/ops/live-requests/${first.data.name}:approve`, {}, once);
    const { data } = await approve();
    expect((await approve()).data).toEqual(data);
    await approveByAnother(rail, data.pending_approval.name);
    expect(await rail.count(sql`select 1 from mail where integrator = ${integrator} and kind = 'live_approved'`)).toBe(
      1,
    );
  });
});
