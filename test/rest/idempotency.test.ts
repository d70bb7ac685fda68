import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { anonymous } from '../../src/platform/access/viewer.ts';
import { Vault } from '../../src/platform/access/vault.ts';
import { callOf } from '../../src/platform/call/call.ts';
import { beginOnce, fingerprintOf, keepAnswer, purgeAnswers } from '../../src/platform/change/idempotency.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { makeAccount, signIn } from '../harness/people/accounts.ts';
import {
  type Actor,
  createAssessed,
  createConfirmed,
  draft,
  makeActor,
  createPending,
  someCitizen,
  twoLines,
} from '../harness/flow.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail({ DEV_REVEAL: 'on' });
const owned = (actor: Actor) => rail.count(sql`select 1 from assessment where integrator = ${actor.integrator}`);
const body = async () => ({ citizen: await someCitizen(rail), lines: await twoLines(rail) });
const keyed = (key: string = randomUUID()) => ({ 'idempotency-key': key });

describe('Idempotency-Key', () => {
  it('gives a repetition the stored answer, byte for byte, whatever happened since', async () => {
    const actor = await makeActor(rail);
    const headers = keyed();
    const input = await body();
    const first = await actor.post('/v1/assessments', input, headers);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    await actor.post(`/v1/assessments/${first.data.name}:assess`);
    const again = await actor.post('/v1/assessments', input, headers);
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
    expect(await owned(actor)).toBe(1);
  });

  it('stores nothing of a request by which its body could be guessed, and knows it while SECRET_KEY is replaced', async () => {
    const request = {
      principal: `test:${randomUUID()}`,
      key: randomUUID(),
      fingerprint: fingerprintOf('POST', '/v1/x', Buffer.from('a')),
    };
    const under = (...keys: string[]) => ({ ...callOf(rail.rail, anonymous, 'a request'), vault: new Vault(keys) });
    const opened = await beginOnce(under('the old key'), request);
    if ('stored' in opened) throw new Error('Nothing was stored yet');
    await keepAnswer(under('the old key'), opened.once, { httpStatus: 200, body: 'its answer' });
    const [row] = await rail.rows<{ fingerprint: string }>(
      sql`select fingerprint from idempotency where key = ${request.key}`,
    );
    expect(row!.fingerprint).not.toBe(request.fingerprint);
    const again = await beginOnce(under('the new key', 'the old key'), request);
    expect(again).toEqual({ stored: { httpStatus: 200, body: 'its answer' } });
    const other = { ...request, fingerprint: fingerprintOf('POST', '/v1/x', Buffer.from('b')) };
    await expect(beginOnce(under('the new key', 'the old key'), other)).rejects.toThrow(/different request/);
  });

  it('makes one of 20 at once; the rest get its answer or 409', async () => {
    const actor = await makeActor(rail);
    const headers = keyed();
    const input = await body();
    const answers = await Promise.all(Array.from({ length: 20 }, () => actor.post('/v1/assessments', input, headers)));
    const done = answers.filter(({ status }) => status === 200);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    for (const answer of answers)
      if (answer.status !== 200) expect(answer).toMatchObject({ status: 409, code: 'idempotency_in_progress' });
    expect(await owned(actor)).toBe(1);
    expect((await actor.post('/v1/assessments', input, headers)).text).toBe(done[0]!.text);
  });

  it('works on every POST that moves a state', async () => {
    const actor = await makeActor(rail);
    const { assessment, intent } = await createPending(rail, actor);
    const cancellable = await draft(rail, actor);
    const assessable = await draft(rail, actor);
    for (const [path, input] of [
      [`/v1/assessments/${assessable}:assess`, {}],
      [`/v1/assessments/${cancellable}:cancel`, { reason: 'x' }],
      ['/v1/payment-intents', { assessment, channel: 'card' }],
      [`/v1/payment-intents/${intent}:initiate`, {}],
      [`/v1/payment-intents/${intent}:confirm`, {}],
      ['/v1/citizens/register', { nin: 'CM12345678IDEM' }],
      ['/v1/citizens', { nin: 'IDEM123456', full_name: 'Idem Potent' }],
    ] as const) {
      const headers = keyed();
      const first = await actor.post(path, input, headers);
      expect(first.status, path).toBe(200);
      const again = await actor.post(path, input, headers);
      expect([again.text, again.headers.get('idempotent-replayed')], path).toEqual([first.text, 'true']);
    }
  });

  it('422 idempotency_mismatch: another body, another path; 422: a key that is none', async () => {
    const actor = await makeActor(rail);
    const headers = keyed();
    await actor.post('/v1/assessments', await body(), headers);
    expect(await actor.post('/v1/assessments', { ...(await body()), x: 1 }, headers)).toMatchObject({
      status: 422,
      code: 'idempotency_mismatch',
    });
    expect(await actor.post('/v1/citizens/register', await body(), headers)).toMatchObject({
      status: 422,
      code: 'idempotency_mismatch',
    });
    for (const key of ['has space', 'x'.repeat(256), 'ü'])
      expect((await actor.post('/v1/assessments', await body(), keyed(key))).json.error.details[0].path, key).toBe(
        'Idempotency-Key',
      );
  });

  it('is a name of its caller alone', async () => {
    const [a, b] = [await makeActor(rail), await makeActor(rail)];
    const headers = keyed();
    const input = await body();
    const [one, two] = [
      await a.post('/v1/assessments', input, headers),
      await b.post('/v1/assessments', input, headers),
    ];
    expect(one.data.name).not.toBe(two.data.name);
  });

  it('belongs to the credential that made it: no other key of the account gets a plaintext that it was not given', async () => {
    const account = await makeAccount(rail);
    const headers = keyed();
    const wider = { label: 'Wide', scopes: ['payments.initiate', 'assessments.write'] };
    const issue = (credential: object) => rail.ask('/v1/me/keys', { body: wider, ...credential });
    const { data } = await issue({ key: account.key, headers });
    const asked = { label: 'Narrow', scopes: ['citizens.read'], manages_account: true };
    const narrow = (await rail.ask('/v1/me/keys', { key: account.key, body: asked })).data.plaintext;
    expect(await issue({ key: narrow, headers })).toMatchObject({ status: 403, code: 'forbidden' });
    const query = 'mutation { issueKey(label: "Wide", scopes: [payments_initiate]) { plaintext } }';
    const first = await rail.ask('/graphql', { key: account.key, body: { query }, headers: keyed('by-graphql') });
    expect(first.json.data.issueKey.plaintext).toMatch(/^rail_/);
    const other = await rail.ask('/graphql', { key: narrow, body: { query }, headers: keyed('by-graphql') });
    expect(other.json.errors).toMatchObject([{ extensions: { code: 'forbidden' } }]);
    const cookies = [await signIn(rail, account)];
    await rail.rows(sql`delete from sign_in_quota`);
    cookies.push(await signIn(rail, account));
    const [one, two] = await Promise.all(cookies.map((cookie) => issue({ headers: { ...headers, cookie } })));
    expect(new Set([data.plaintext, one!.data.plaintext, two!.data.plaintext]).size).toBe(3);
  });

  it('goes on with the key that replaces the one that made it, so that a rotation makes nothing twice', async () => {
    const actor = await makeActor(rail);
    const [headers, input] = [keyed(), await body()];
    const first = await actor.post('/v1/assessments', input, headers);
    const [{ name }] = (await actor.ask('/v1/me/keys')).data;
    const successor = (await actor.post(`/v1/me/keys/${name}:rotate`)).data.plaintext;
    const again = await rail.ask('/v1/assessments', { key: successor, body: input, headers });
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect(await owned(actor)).toBe(1);
  });

  it('keeps what the domain refused, and nothing else', async () => {
    const actor = await makeActor(rail);
    const cancelled = keyed();
    const name = await draft(rail, actor);
    await actor.post(`/v1/assessments/${name}:cancel`);
    const refused = await actor.post(`/v1/assessments/${name}:assess`, {}, cancelled);
    expect(refused.status).toBe(422);
    const again = await actor.post(`/v1/assessments/${name}:assess`, {}, cancelled);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([refused.text, 'true']);
    const problem = await actor.post(
      `/v1/assessments/${name}:assess`,
      {},
      { ...cancelled, accept: 'application/problem+json' },
    );
    expect(problem.json).toMatchObject({ status: 422, code: 'validation_failed' });

    const { plaintext } = await rail.key('citizens.read');
    const denied = keyed();
    for (let i = 0; i < 2; i++) {
      const answer = await rail.ask('/v1/assessments', { key: plaintext, body: {}, headers: denied });
      expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([403, null]);
    }
    const timedOut = keyed();
    const { intent } = await createPending(rail, actor);
    // The answer was lost; asking again, under the same key too, reaches the same collection.
    for (const status of [504, 200]) {
      const answer = await actor.post(
        `/v1/payment-intents/${intent}:initiate`,
        { payer_msisdn: '+256700123002' },
        timedOut,
      );
      expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([status, null]);
    }
  });

  it('is forgotten after 24 hours', async () => {
    const actor = await makeActor(rail);
    const headers = keyed();
    const input = await body();
    await actor.post('/v1/assessments', input, headers);
    await rail.rows(
      sql`update idempotency set created_at = created_at - interval '24 hours' where key = ${headers['idempotency-key']}`,
    );
    expect((await actor.post('/v1/assessments', input, headers)).headers.get('idempotent-replayed')).toBeNull();
    expect(await owned(actor)).toBe(2);
    await rail.rows(
      sql`update idempotency set created_at = created_at - interval '24 hours' where key = ${headers['idempotency-key']}`,
    );
    expect(await purgeAnswers({ db: rail.rail.db, now: () => new Date() })).toBeGreaterThanOrEqual(1);
  });

  it.each([
    [
      'a create',
      async (actor: Actor) => ({ path: '/v1/assessments', input: await body(), changed: await draft(rail, actor) }),
    ],
    [
      'an assess',
      async (actor: Actor) => {
        const name = await createAssessed(rail, actor);
        return { path: `/v1/assessments/${name}:assess`, input: {}, changed: name };
      },
    ],
    [
      'an initiate',
      async (actor: Actor) => {
        const { intent } = await createConfirmed(rail, actor);
        return { path: `/v1/payment-intents/${intent}:initiate`, input: {}, changed: intent };
      },
    ],
    [
      'a confirm',
      async (actor: Actor) => {
        const { intent } = await createConfirmed(rail, actor);
        return { path: `/v1/payment-intents/${intent}:confirm`, input: {}, changed: intent };
      },
    ],
  ])('answers %s whose process died between its commit and its answer from what it changed', async (_what, prepare) => {
    const actor = await makeActor(rail);
    const { path, input, changed } = await prepare(actor);
    const headers = keyed();
    const probe = await actor.post(path, input, headers);
    const before = await owned(actor);
    // A crash leaves the change without its answer.
    await rail.rows(
      sql`update idempotency set http_status = null, body = null, subject = ${changed} where key = ${headers['idempotency-key']}`,
    );
    expect(await actor.post(path, input, headers)).toMatchObject({ status: 409, code: 'idempotency_in_progress' });
    await rail.rows(
      sql`update idempotency set created_at = created_at - interval '11 seconds' where key = ${headers['idempotency-key']}`,
    );
    const answer = await actor.post(path, input, headers);
    expect(answer.status, probe.text).toBe(200);
    expect(JSON.stringify(answer.data)).toContain(changed);
    expect(await owned(actor)).toBe(before);
    expect((await actor.post(path, input, headers)).text).toBe(answer.text);
  });
});
