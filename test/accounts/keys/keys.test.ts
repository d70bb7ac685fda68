import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HOUR_MS } from '../../../src/kernel/time.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { issueKey } from '../../../src/accounts/integrators/issue-key.ts';
import { type KeyStatus, keyLifecycle } from '../../../src/accounts/keys/lifecycle.ts';
import { makeAccount, signIn } from '../../harness/people/accounts.ts';
import { type Answer, testRail } from '../../harness/rail.ts';
import { tally } from '../../harness/chaos/tally.ts';
import { timed } from '../../harness/run/moments.ts';

const rail = testRail({ DEV_REVEAL: 'on' });

const rotate = (key: string, name: string, body: object = {}) => rail.ask(`/v1/me/keys/${name}:rotate`, { key, body });
const revoke = (key: string, name: string, body: object = { reason: 'Test' }) =>
  rail.ask(`/v1/me/keys/${name}:revoke`, { key, body });
const issue = (key: string, body: object) => rail.ask('/v1/me/keys', { key, body });
const works = async (key: string) => (await rail.ask('/v1/me', { key })).status === 200;

describe('GET /v1/me/keys', () => {
  it('200: newest first, revoked and rolling ones among them, never a plaintext', async () => {
    const { key, keyName } = await makeAccount(rail);
    const second = (await rotate(key, keyName)).data;
    const third = (await issue(second.plaintext, { label: 'Third', scopes: ['citizens.read'] })).data;
    await revoke(key, third.key.name, { reason: ' Leaked ' });
    const answer = await rail.ask('/v1/me/keys', { key });
    expect(answer.data).toMatchObject([
      {
        name: third.key.name,
        label: 'Third',
        status: 'revoked',
        revoked_reason: 'Leaked',
        revoked_at: expect.any(String),
        scopes: ['citizens.read'],
      },
      { name: second.key.name, status: 'active', revoked_reason: null },
      { name: keyName, status: 'rolling', expires_at: expect.any(String), last_used_at: expect.any(String) },
    ]);
    for (const secret of [key, second.plaintext, third.plaintext]) expect(answer.text).not.toContain(secret.slice(13));
    const page = await rail.ask('/v1/me/keys?limit=2', { key });
    const next = /<(.+)>; rel="next"/.exec(page.headers.get('link')!)![1]!;
    expect((await rail.ask(next, { key })).data.map(({ name }: { name: string }) => name)).toEqual([keyName]);
  });
});

describe('POST /v1/me/keys', () => {
  it('200: a further key with some of the scopes, by key and by session', async () => {
    const account = await makeAccount(rail);
    const { data } = await issue(account.key, { label: 'Reports', scopes: ['citizens.read', 'citizens.read'] });
    expect(data).toMatchObject({
      plaintext: expect.stringMatching(/^rail_sandbox_/),
      key: { label: 'Reports', scopes: ['citizens.read'], status: 'active' },
    });
    expect((await rail.ask('/v1/citizens', { key: data.plaintext })).status).toBe(200);
    expect((await rail.ask('/v1/assessments', { key: data.plaintext })).status).toBe(403);
    const cookie = await signIn(rail, account);
    const body = { label: 'By hand', scopes: ['payments.initiate'] };
    expect((await rail.ask('/v1/me/keys', { headers: { cookie }, body })).data.key.scopes).toEqual([
      'payments.initiate',
    ]);
  });

  it('403: scopes that the key does not hold, or that the account may not', async () => {
    const account = await makeAccount(rail);
    const narrow = (await issue(account.key, { label: 'Narrow', scopes: ['citizens.read'] })).data.plaintext;
    const cookie = await signIn(rail, account);
    const answers = [
      await issue(narrow, { label: 'Wider', scopes: ['assessments.write'] }),
      await issue(account.key, { label: 'Wider', scopes: ['oversight.read'] }),
      await rail.ask('/v1/me/keys', { headers: { cookie }, body: { label: 'Wider', scopes: ['citizens.write'] } }),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await rail.count(sql`select 1 from api_key where integrator = ${account.integrator}`)).toBe(2);
  });

  it.each([
    {},
    { label: 'X' },
    { label: 'X', scopes: [] },
    { label: 'X', scopes: ['root'] },
    { label: 'X', scopes: 'citizens.read' },
    { label: ' ', scopes: ['citizens.read'] },
  ])('422: %j', async (body) => {
    const { key } = await makeAccount(rail);
    expect(await issue(key, body)).toMatchObject({ status: 422, code: 'validation_failed' });
  });
});

describe('the number of active keys', () => {
  it('is at most 20 an account, however many are asked for at once; those that are not active do not count', async () => {
    const { key, keyName, integrator } = await makeAccount(rail);
    const one = () => issue(key, { label: 'One of many', scopes: ['citizens.read'] });
    for (let i = 0; i < 14; i++) await one();
    const answers = await Promise.all(Array.from({ length: 12 }, one));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 5, 422: 7 });
    const refused = answers.find(({ status }) => status === 422)!;
    expect(refused.json.error.details).toMatchObject([{ code: 'too_many_keys' }]);
    await expect(issueKey(rail.rail, { integrator }, ['oversight.read'])).rejects.toMatchObject({
      code: 'validation_failed',
    });
    expect((await rotate(key, keyName)).status).toBe(200);
    await revoke(key, answers.find(({ status }) => status === 200)!.data.key.name);
    expect([(await one()).status, (await one()).status]).toEqual([200, 422]);
  });
});

describe('POST /v1/me/keys/{name}:rotate', () => {
  it('200: a new key with the same scopes; the old one works until its grace window ends, and not a moment longer', async () => {
    const { key, keyName } = await makeAccount(rail);
    const rotated = await timed(rail, () => rotate(key, keyName, { grace_hours: 2 }));
    const { data } = rotated.answer;
    expect(data).toMatchObject({
      key: {
        status: 'active',
        label: 'First key',
        scopes: ['citizens.read', 'assessments.write', 'payments.initiate'],
      },
      plaintext: expect.stringMatching(/^rail_sandbox_/),
      previous: { name: keyName, status: 'rolling', expires_at: data.grace_ends_at },
    });
    rotated.expectTaken(data.grace_ends_at, 2 * HOUR_MS);
    expect([await works(key), await works(data.plaintext)]).toEqual([true, true]);
    onTestFinished(() => rail.advance(-2));
    rail.advance(1.9);
    expect(await works(key)).toBe(true);
    rail.advance(0.1);
    expect([await works(key), await works(data.plaintext)]).toEqual([false, true]);
    const { data: keys } = await rail.ask('/v1/me/keys', { key: data.plaintext });
    expect(keys).toMatchObject([{ status: 'active' }, { name: keyName, status: 'expired' }]);
    // Nothing has run in between: what is stored is still the rolling key.
    expect(await rail.count(sql`select 1 from api_key where name = ${keyName} and status = 'rolling'`)).toBe(1);
  });

  it('200: 24 hours of grace where nothing is said', async () => {
    const { key, keyName } = await makeAccount(rail);
    const rotated = await timed(rail, () => rail.ask(`/v1/me/keys/${keyName}:rotate`, { key, method: 'POST' }));
    rotated.expectTaken(rotated.answer.data.grace_ends_at, 24 * HOUR_MS);
  });

  it('403: by a key that does not hold the scopes itself', async () => {
    const { key, keyName } = await makeAccount(rail);
    const narrow = (await issue(key, { label: 'Narrow', scopes: ['citizens.read'] })).data.plaintext;
    expect(await rotate(narrow, keyName)).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await works(key)).toBe(true);
  });

  it.each([0, 169, -1, 1.5, '24', null])('422: grace_hours is %j', async (grace_hours) => {
    const { key, keyName } = await makeAccount(rail);
    const answer = await rotate(key, keyName, { grace_hours });
    expect(answer).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(answer.json.error.details).toMatchObject([{ path: 'grace_hours' }]);
    expect((await rail.ask('/v1/me/keys', { key })).data).toHaveLength(1);
  });

  it('422: all but one of ten at a time', async () => {
    const { key, keyName } = await makeAccount(rail);
    const answers = await Promise.all(Array.from({ length: 10 }, () => rotate(key, keyName)));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 422: 9 });
    expect((await rail.ask('/v1/me/keys', { key })).data).toHaveLength(2);
  });

  it('gives a repetition under one Idempotency-Key the same plaintext, which the database holds sealed', async () => {
    const { key, keyName } = await makeAccount(rail);
    const headers = { 'idempotency-key': randomUUID() };
    const ask = () => rail.ask(`/v1/me/keys/${keyName}:rotate`, { key, body: {}, headers });
    const [first, second] = [await ask(), await ask()];
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.text).toBe(first.text);
    const rows = await rail.rows<{ row: string }>(
      sql`select i::text || encode(i.body, 'escape') as row from idempotency i`,
    );
    for (const { row } of rows) expect(row).not.toContain(first.data.plaintext.slice(13));
  });

  it('gives a repetition a working key where the process died between the commit and the answer', async () => {
    const { key, keyName } = await makeAccount(rail);
    const headers = { 'idempotency-key': randomUUID() };
    const ask = () => rail.ask(`/v1/me/keys/${keyName}:rotate`, { key, body: {}, headers });
    const first = await ask();
    await rail.rows(
      sql`update idempotency set body = null, http_status = null, created_at = created_at - interval '1 minute'`,
    );
    const again = await ask();
    expect(again).toMatchObject({
      status: 200,
      data: { key: { name: first.data.key.name }, previous: { name: keyName, status: 'rolling' } },
    });
    expect([await works(first.data.plaintext), await works(again.data.plaintext)]).toEqual([false, true]);
    expect((await ask()).text).toBe(again.text);
  });
});

describe('POST /v1/me/keys/{name}:revoke', () => {
  it('200: at once and for good, the key that asks included; again changes nothing', async () => {
    const { key, keyName } = await makeAccount(rail);
    const second = (await rotate(key, keyName)).data;
    const { data } = await revoke(second.plaintext, keyName, { reason: 'x'.repeat(280) });
    expect(data).toMatchObject({
      name: keyName,
      status: 'revoked',
      revoked_reason: 'x'.repeat(280),
      revoked_at: expect.any(String),
    });
    expect([await works(key), await works(second.plaintext)]).toEqual([false, true]);
    expect((await revoke(second.plaintext, keyName, { reason: 'Another' })).data).toEqual(data);
    expect((await revoke(second.plaintext, second.key.name)).status).toBe(200);
    expect(await revoke(second.plaintext, second.key.name)).toMatchObject({ status: 401, code: 'unauthenticated' });
    await expect(
      rail.rows(sql`update api_key set status = 'active', revoked_at = null where name = ${keyName}`),
    ).rejects.toThrow(/revoked for good/);
  });

  it.each([{}, { reason: '' }, { reason: '  ' }, { reason: 'x'.repeat(281) }, { reason: 5 }, { reason: null }])(
    '422: %j',
    async (body) => {
      const { key, keyName } = await makeAccount(rail);
      const answer = await revoke(key, keyName, body);
      expect(answer).toMatchObject({ status: 422, code: 'validation_failed' });
      expect(answer.json.error.details).toMatchObject([{ path: 'reason' }]);
      expect(await works(key)).toBe(true);
    },
  );
});

describe('a key that is missing, and one of another integrator', () => {
  it('404: byte for byte alike, and unharmed', async () => {
    const [mine, theirs] = [await makeAccount(rail), await makeAccount(rail)];
    for (const action of [rotate, revoke]) {
      const answers: Answer[] = [];
      for (const name of [theirs.keyName, 'KEY-2026-999999', 'nonsense', "'; drop table api_key; --"])
        answers.push(await action(mine.key, encodeURIComponent(name)));
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers[0]).toMatchObject({ status: 404, code: 'not_found' });
      const shape = ({ headers }: Answer) => [...headers.keys()].filter((name) => name !== 'date').toSorted();
      expect(shape(answers[0]!)).toEqual(shape(answers[1]!));
    }
    expect(await works(theirs.key)).toBe(true);
  });
});

describe('the lifecycle of keys', () => {
  const states: readonly KeyStatus[] = ['waiting', 'active', 'rolling', 'expired', 'revoked'];
  const into: Readonly<Record<KeyStatus, (name: string) => ReturnType<typeof sql>>> = {
    waiting: (name) => sql`update api_key set status = 'waiting' where name = ${name}`,
    active: (name) => sql`select 1 from api_key where name = ${name}`,
    rolling: (name) =>
      sql`update api_key set status = 'rolling', expires_at = now() + interval '1 hour' where name = ${name}`,
    expired: (name) =>
      sql`update api_key set status = 'rolling', expires_at = now() - interval '1 hour' where name = ${name}`,
    revoked: (name) =>
      sql`update api_key set status = 'revoked', revoked_at = now(), revoked_reason = 'Test' where name = ${name}`,
  };

  for (const state of states) {
    // One that waits is approved by another than its owner: `test/collection/approvals.test.ts`.
    const { approve: _, ...own } = keyLifecycle;
    for (const [action, { from, to }] of Object.entries(own)) {
      const noop = action === 'revoke' && state === 'revoked';
      const allowed = (from as readonly KeyStatus[]).includes(state);
      it(`${allowed ? `takes a key from ${state} to ${to}` : `${noop ? 'leaves' : 'refuses'} one that is ${state}`} on ${action}`, async () => {
        const { key } = await makeAccount(rail);
        const { name } = (await issue(key, { label: 'Test', scopes: ['citizens.read'] })).data.key;
        await rail.rows(into[state](name));
        const answer = action === 'rotate' ? await rotate(key, name) : await revoke(key, name);
        expect(answer.status).toBe(allowed || noop ? 200 : 422);
        const after = (await rail.ask('/v1/me/keys', { key })).data.find((one: { name: string }) => one.name === name);
        expect(after.status).toBe(allowed ? to : state);
      });
    }
  }
});
