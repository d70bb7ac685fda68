import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mintKey } from '../../src/platform/access/key-format.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { makeAccount, makeToken, signIn, signUp } from '../harness/people/accounts.ts';
import { type Served, serve } from '../harness/processes.ts';
import { testRail } from '../harness/rail.ts';
import { tally } from '../harness/chaos/tally.ts';
import { sizeOf } from '../harness/chaos/size.ts';

const rail = testRail({ DEV_REVEAL: 'on' });
const folder = mkdtempSync(join(tmpdir(), 'rail-two-'));
let processes: Served[] = [];

beforeAll(async () => {
  const start = () =>
    serve('src/app/main.ts', {
      DATABASE_URL: rail.url,
      DATA_DIR: folder,
      PORT: '0',
      JOBS: 'off',
      LOG_LEVEL: 'error',
      DEV_REVEAL: 'on',
    });
  processes = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()));
  rmSync(folder, { recursive: true, force: true });
});

const REVOCATIONS = sizeOf({ fast: 60, long: 2_000 });

const originOf = (i: number) => processes[i % 2]!.origin;

async function post(i: number, path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(originOf(i) + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

describe('two processes on one database', () => {
  it('compare no more than five wrong codes a day, however many clients guess at a time', async () => {
    const { integrator_id, dev_otp } = (await signUp(rail)).data;
    const codes = Array.from({ length: 400 }, (_, i) => String((Number(dev_otp) + 1 + i) % 1_000_000).padStart(6, '0'));
    const statuses: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, async (_, client) => {
        for (let i = client; i < codes.length; i += 20)
          statuses.push((await post(client, '/v1/signup/verify', { integrator_id, otp: codes[i] })).status);
      }),
    );
    expect(tally(statuses)).toEqual({ 401: 5, 429: 395 });
    expect((await post(0, '/v1/signup/verify', { integrator_id, otp: dev_otp })).status).toBe(429);
    const [row] = await rail.rows(
      sql`select status, otp_hash as hash, otp_attempts_today as failed from integrator where code = ${integrator_id}`,
    );
    expect(row).toEqual({ status: 'PendingEmail', hash: null, failed: 5 });
  });

  it('make one account active and one key, when a code is entered 20 times at a time', async () => {
    const { integrator_id, dev_otp } = (await signUp(rail)).data;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => post(i, '/v1/signup/verify', { integrator_id, otp: dev_otp })),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: 19 });
    expect(await rail.count(sql`select 1 from api_key where integrator = ${integrator_id}`)).toBe(1);
  });

  it('send one code a minute, when it is asked for 20 times at a time', async () => {
    const { integrator_id } = (await signUp(rail)).data;
    await rail.rows(
      sql`update integrator set otp_sent_at = otp_sent_at - interval '61 seconds' where code = ${integrator_id}`,
    );
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => post(i, '/v1/signup/resend-otp', { integrator_id })),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 429: 19 });
    expect(await rail.count(sql`select 1 from mail where integrator = ${integrator_id}`)).toBe(2);
  });

  it('send one link a minute, when it is asked for 20 times at a time', async () => {
    const { email } = await makeAccount(rail);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => post(i, '/v1/login/request', { email })));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 429: 19 });
  });

  it('open one session, when a link is followed 50 times at a time', async () => {
    const { email, integrator } = await makeAccount(rail);
    const token = await makeToken(rail, email);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        fetch(`${originOf(i)}/v1/login/consume?token=${token}`, { redirect: 'manual' }),
      ),
    );
    const places = answers.map(({ headers }) => headers.get('location'));
    expect(places.filter((place) => place === '/dashboard')).toHaveLength(1);
    expect(places.filter((place) => place === '/signin/expired')).toHaveLength(49);
    expect(answers.filter(({ headers }) => headers.getSetCookie().length > 0)).toHaveLength(1);
    expect(await rail.count(sql`select 1 from session where integrator = ${integrator}`)).toBe(1);
  });

  it('rotate a key once, when asked 20 times at a time', async () => {
    const { key, keyName, integrator } = await makeAccount(rail);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        post(i, `/v1/me/keys/${keyName}:rotate`, {}, { authorization: `Bearer ${key}` }),
      ),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 422: 19 });
    expect(await rail.count(sql`select 1 from api_key where integrator = ${integrator}`)).toBe(2);
  });

  it('rotate a key once under one Idempotency-Key, and show the same plaintext each time', async () => {
    const { key, keyName, integrator } = await makeAccount(rail);
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'rotate-once' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => post(i, `/v1/me/keys/${keyName}:rotate`, {}, headers)),
    );
    const shown = answers.filter(({ status }) => status === 200).map(({ text }) => text);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(new Set(shown).size).toBe(1);
    expect(await rail.count(sql`select 1 from api_key where integrator = ${integrator}`)).toBe(2);
  });

  it('let a logout and a suspension hold from the very next request on either', async () => {
    for (const end of [
      async (cookie: string) => post(0, '/v1/logout', {}, { cookie }),
      async (_cookie: string, integrator: string) =>
        rail.rows(sql`update integrator set status = 'Suspended' where code = ${integrator}`),
    ]) {
      const account = await makeAccount(rail);
      const cookie = await signIn(rail, account);
      const me = async () =>
        Promise.all([0, 1].map(async (i) => (await fetch(`${originOf(i)}/v1/me`, { headers: { cookie } })).status));
      expect(await me()).toEqual([200, 200]);
      await end(cookie, account.integrator);
      expect(await me()).toEqual([401, 401]);
    }
  });

  it(`send no success to a request that was sent after its key’s revocation was acknowledged: ${REVOCATIONS} revocations under load`, async () => {
    const { integrator, key: admin } = await makeAccount(rail);
    const keys = Array.from({ length: REVOCATIONS }, (_, i) => ({
      name: `KEY-1999-${String(i).padStart(6, '0')}`,
      ...mintKey('sandbox'),
    }));
    for (let i = 0; i < keys.length; i += 500) {
      const rows = keys.slice(i, i + 500);
      await rail.rows(sql`
        insert into api_key (name, integrator, label, prefix, last4, hash, status, scopes, created_at, lineage)
        select name, ${integrator}, 'Load', 'rail_sandbox_', last4, decode(hash, 'hex'), 'active', '{citizens.read}',
          now(), name
        from jsonb_to_recordset(${JSON.stringify(rows.map(({ name, last4, hash }) => ({ name, last4, hash: hash.toString('hex') })))}::jsonb) as k (name text, last4 text, hash text)`);
    }
    const late: string[] = [];
    let successes = 0;
    let refusals = 0;
    const once = async (name: string, plaintext: string, i: number, isOver: () => boolean) => {
      const sentAfter = isOver();
      const { status } = await fetch(`${originOf(i)}/v1/session`, {
        headers: { authorization: `Bearer ${plaintext}` },
      });
      if (status === 200) successes++;
      else if (status === 401) refusals++;
      else throw new Error(`${name} was answered with ${status}`);
      if (sentAfter && status !== 401) late.push(name);
    };
    const queue = keys.entries();
    const worker = async () => {
      for (const [i, { name, plaintext }] of queue) {
        let over = false;
        const isOver = () => over;
        const load = async (from: number) => {
          for (let round = 0; round < 50 && !isOver(); round++) await once(name, plaintext, from, isOver);
          // Once more on each, when the revocation is surely acknowledged.
          if (isOver()) await once(name, plaintext, from, isOver);
        };
        const revoked = once(name, plaintext, i, isOver)
          .then(() => post(i, `/v1/me/keys/${name}:revoke`, { reason: 'Load' }, { authorization: `Bearer ${admin}` }))
          .then(({ status }) => {
            if (status !== 200) throw new Error(`${name} was not revoked: ${status}`);
            over = true;
          });
        await Promise.all([load(0), load(1), revoked]);
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    expect(late).toEqual([]);
    expect(refusals).toBeGreaterThanOrEqual(2 * REVOCATIONS);
    expect(successes).toBeGreaterThanOrEqual(REVOCATIONS);
    expect(await rail.count(sql`select 1 from api_key where status = 'revoked' and integrator = ${integrator}`)).toBe(
      REVOCATIONS,
    );
  });
});
