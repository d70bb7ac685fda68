import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { exportJWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { raw, sql } from '../../../src/platform/database/sql.ts';
import { type Pair, askForToken, makeAgency, makePair, signAssertion } from '../../harness/people/agency.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

let admin: StaffActor | undefined;
const operator = async () => (admin ??= await makeStaff(rail, 'admin'));
const asked = (public_key: unknown, more: object = {}) => ({
  mda: 'URA',
  public_key,
  scopes: ['assessments.read'],
  label: 'Billing system',
  ...more,
});
const register = async (public_key: unknown, more: object = {}) =>
  (await operator()).post('/v1/ops/agency-keys', asked(public_key, more));
const PATH = '/v1/ops/agency-keys';

describe('POST /v1/ops/agency-keys', () => {
  it('200: registers PEM, a JSON Web Key, a set of one, and either as text', async () => {
    const forms = [
      (pair: Pair) => pair.pem,
      (pair: Pair) => `\n${pair.pem}\n`,
      (pair: Pair) => pair.jwk,
      (pair: Pair) => ({ keys: [{ ...pair.jwk, use: 'sig' }] }),
      (pair: Pair) => JSON.stringify(pair.jwk),
    ];
    for (const form of forms) {
      const pair = await makePair('ES256');
      const { status, data } = await register(form(pair));
      expect([status, data]).toEqual([
        200,
        {
          name: expect.stringMatching(/^AGKEY-\d{4}-\d{6}$/),
          mda: 'URA',
          label: 'Billing system',
          kid: pair.kid,
          public_key: { kty: 'EC', crv: 'P-256', x: pair.jwk.x, y: pair.jwk.y },
          thumbprint: pair.kid,
          status: 'active',
          scopes: ['assessments.read'],
          created_at: expect.any(String),
          updated_at: expect.any(String),
          last_used_at: null,
          expires_at: null,
          revoked_at: null,
          revoked_reason: null,
          registered_by: (await operator()).email,
        },
      ]);
      expect((await askForToken(rail, await signAssertion(rail, 'URA', pair))).status).toBe(200);
    }
  });

  it('200: is audited, answered again under its idempotency key, and found by its ID', async () => {
    const { jwk } = await makePair();
    const body = asked({ ...jwk, kid: 'ura-2026' });
    const headers = { 'idempotency-key': 'register-1' };
    const { data } = await (await operator()).post(PATH, body, headers);
    expect(data.kid).toBe('ura-2026');
    const again = await (await operator()).post(PATH, body, headers);
    expect([again.data, again.headers.get('idempotent-replayed')]).toEqual([data, 'true']);
    const [entry] = (await (await operator()).ask(`/v1/ops/audit?subject=${data.name}`)).data;
    expect(entry).toMatchObject({
      action: 'agency_key.register',
      actor: (await operator()).email,
      after: { mda: 'URA', kid: 'ura-2026', scopes: ['assessments.read'] },
    });
    const query = `{ node(id: "${data.name}") { ... on AgencyKey { kid status agency { name } } } }`;
    const { json } = await (await operator()).post('/graphql', { query });
    expect(json.data.node).toMatchObject({ kid: 'ura-2026', status: 'active' });
  });

  it('422 key_already_registered: of whichever agency, revoked or not, and however it is written', async () => {
    const { jwk, pem } = await makePair('RS256');
    const { data } = await register(pem);
    await (await operator()).post(`${PATH}/${data.name}:revoke`, { reason: 'Lost' });
    for (const again of [await register(jwk), await register({ ...jwk, kid: 'x' }, { mda: 'KCCA' })]) {
      expect([again.status, again.json.error.details[0].code]).toEqual([422, 'key_already_registered']);
    }
    await register({ ...(await makePair()).jwk, kid: 'same' });
    expect((await register({ ...(await makePair()).jwk, kid: 'same' })).status).toBe(422);
    expect((await register({ ...(await makePair()).jwk, kid: 'same' }, { mda: 'KCCA' })).status).toBe(200);
  });

  it('422: refuses private keys, and repeats, keeps and logs nothing of them', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const ed = generateKeyPairSync('ed25519').privateKey;
    const jwk = await exportJWK(ed);
    const secret = randomBytes(32).toString('base64url');
    const given = [
      rsa.export({ format: 'pem', type: 'pkcs8' }),
      rsa.export({ format: 'pem', type: 'pkcs1' }),
      `${(await makePair('RS256')).pem}${rsa.export({ format: 'pem', type: 'pkcs8' }).toString()}`,
      await exportJWK(rsa),
      jwk,
      { keys: [jwk] },
      JSON.stringify({ keys: [jwk] }),
      { kty: 'oct', k: secret },
    ];
    const before = await rail.count(sql`select from agency_key`);
    for (const [index, public_key] of given.entries()) {
      const headers = { 'idempotency-key': `private-${index}` };
      const answer = await (await operator()).post(PATH, asked(public_key), headers);
      expect([answer.status, answer.json.error.details[0].path]).toEqual([422, 'public_key']);
      expect(answer.json.error.message).toContain('private');
      const variables = { key: public_key };
      const query =
        'mutation ($key: JSON!) { registerAgencyKey(agency: "URA", publicKey: $key, scopes: [assessments_read], label: "x") { id } }';
      const { text } = await (await operator()).post('/graphql', { query, variables });
      for (const shown of [answer.text, text]) expect(shown).not.toContain(jwk.d);
    }
    expect(await rail.count(sql`select from agency_key`)).toBe(before);
    const tables = await rail.rows<{ name: string }>(
      sql`select format('%I', relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    for (const { name } of tables) {
      const found = await rail.count(
        sql`select from ${raw(name)} t where t::text like ${`%${jwk.d}%`} or t::text like ${`%${secret}%`} or t::text like '%PRIVATE KEY%'`,
      );
      expect(found, name).toBe(0);
    }
    for (const line of rail.logged)
      for (const part of [jwk.d!, secret, 'PRIVATE KEY']) expect(line).not.toContain(part);
  });

  it.each<[string, () => unknown]>([
    ['a short RSA key', () => generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })],
    [
      'a small exponent',
      () => generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 }).publicKey.export({ format: 'jwk' }),
    ],
    ['another curve', () => generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' })],
    ['a key for agreement', () => generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' })],
    ['Ed448', () => generateKeyPairSync('ed448').publicKey.export({ format: 'jwk' })],
    ['an algorithm that is not its own', () => ({ ...ed25519(), alg: 'RS256' })],
    ['an algorithm that is no text', () => ({ ...ed25519(), alg: 5 })],
    ['a key for encryption', () => ({ ...ed25519(), use: 'enc' })],
    ['a kid with blanks', () => ({ ...ed25519(), kid: 'a b' })],
    ['a point that is on no curve', () => ({ kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43) })],
    ['an empty set', () => ({ keys: [] })],
    ['a set of two', () => ({ keys: [ed25519(), ed25519()] })],
    ['a set of a set', () => ({ keys: [{ keys: [ed25519()] }] })],
    ['a certificate', () => '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
    ['no key in PEM', () => '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----'],
    ['text', () => 'hello'],
    ['too much text', () => 'x'.repeat(20_000)],
    ['a number', () => 5],
    ['a list', () => [ed25519()]],
    ['an object without members', () => ({})],
  ])('422: %s', async (_name, make) => {
    const { status, json } = await register(make());
    expect([status, json.error.details[0].path]).toEqual([422, 'public_key']);
  });

  it.each<[string, object]>([
    ['no such agency', { mda: 'NOBODY' }],
    ['a scope that is not for agencies', { scopes: ['assessments.read', 'payments.initiate'] }],
    ['no scope', { scopes: [] }],
    ['a word that is no scope', { scopes: ['everything'] }],
    ['no label', { label: ' ' }],
  ])('422: %s', async (_name, more) => {
    expect((await register((await makePair()).jwk, more)).status).toBe(422);
  });

  it('422: an agency that is Inactive', async () => {
    await rail.rows(sql`update mda set status = 'Inactive' where name = 'NIRA'`);
    expect((await register((await makePair()).jwk, { mda: 'NIRA' })).status).toBe(422);
  });
});

describe('GET /v1/ops/agency-keys', () => {
  it('200: lists them newest first, by agency and status', async () => {
    const first = await makeAgency(rail, 'KCCA');
    const second = await makeAgency(rail, 'KCCA');
    await (await operator()).post(`${PATH}/${first.key}:revoke`, { reason: 'Lost' });
    const names = async (query: string) =>
      ((await (await operator()).ask(`${PATH}?${query}`)).data as { name: string }[]).map(({ name }) => name);
    expect((await names('mda=KCCA')).slice(0, 2)).toEqual([second.key, first.key]);
    expect(await names('mda=KCCA&status=revoked')).toContain(first.key);
    expect(await names('mda=KCCA&status=active')).not.toContain(first.key);
    expect(await names(`mda=KCCA&limit=1&after=${second.key}`)).toEqual([first.key]);
  });

  it('200 for the oversight role, which changes nothing: 403', async () => {
    const overseer = await makeStaff(rail, 'oversight');
    expect((await overseer.ask(PATH)).status).toBe(200);
    expect((await overseer.post(PATH, asked((await makePair()).jwk))).status).toBe(403);
    expect((await rail.ask(PATH)).status).toBe(401);
  });
});

describe('POST /v1/ops/agency-keys/{name}:roll', () => {
  it('200: the former key, and its tokens, work until the grace window ends', async () => {
    const agency = await makeAgency(rail, 'URA', ['catalogue.read']);
    const next = await makePair('ES256');
    const roll = { public_key: next.jwk, grace_hours: 1 };
    const { status, data } = await (await operator()).post(`${PATH}/${agency.key}:roll`, roll);
    expect([status, data.previous.name, data.previous.status]).toEqual([200, agency.key, 'rolling']);
    expect(data.key).toMatchObject({ mda: 'URA', label: 'Test', scopes: ['catalogue.read'], status: 'active' });
    expect(data.grace_ends_at).toBe(data.previous.expires_at);
    const token = await agency.token();
    expect((await rail.ask('/v1/integrations', { key: token })).status).toBe(200);
    expect((await askForToken(rail, await signAssertion(rail, 'URA', next))).status).toBe(200);
    try {
      rail.advance(1.01);
      expect((await agency.ask(await agency.sign())).status).toBe(401);
      expect((await askForToken(rail, await signAssertion(rail, 'URA', next))).status).toBe(200);
      // The session of the other is over as well.
      const [shown] = (await (await makeStaff(rail, 'admin')).ask(`${PATH}?status=expired`)).data;
      expect([shown.name, shown.status]).toEqual([agency.key, 'expired']);
    } finally {
      rail.advance(-1.01);
    }
    const [entry] = (await (await operator()).ask(`/v1/ops/audit?subject=${data.key.name}`)).data;
    expect(entry).toMatchObject({ action: 'agency_key.roll', before: { key: agency.key } });
  });

  it('422 key_not_active: one that is rolling or revoked; 404: none', async () => {
    const agency = await makeAgency(rail);
    const roll = async (name: string) =>
      (await operator()).post(`${PATH}/${name}:roll`, { public_key: (await makePair()).jwk });
    expect((await roll(agency.key)).status).toBe(200);
    const again = await roll(agency.key);
    expect([again.status, again.json.error.details[0].code]).toEqual([422, 'key_not_active']);
    expect((await roll('AGKEY-2020-000001')).status).toBe(404);
  });

  it('two at once: one rolls, and the other is refused', async () => {
    const agency = await makeAgency(rail);
    const answers = await Promise.all(
      [1, 2].map(async () =>
        (await operator()).post(`${PATH}/${agency.key}:roll`, { public_key: (await makePair()).jwk }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  });
});

describe('POST /v1/ops/agency-keys/{name}:revoke', () => {
  it('200: ends it for good, with a reason that is audited; again it stays as it is', async () => {
    const agency = await makeAgency(rail);
    const revoke = async (reason: string) => (await operator()).post(`${PATH}/${agency.key}:revoke`, { reason });
    const { data } = await revoke('Left a laptop on a train');
    expect(data).toMatchObject({ status: 'revoked', revoked_reason: 'Left a laptop on a train' });
    expect((await revoke('Again')).data).toEqual(data);
    const [entry] = (await (await operator()).ask(`/v1/ops/audit?subject=${agency.key}`)).data;
    expect(entry).toMatchObject({ action: 'agency_key.revoke', reason: 'Left a laptop on a train' });
    expect((await revoke(' ')).status).toBe(422);
    expect((await (await operator()).post(`${PATH}/AGKEY-2020-000001:revoke`, { reason: 'x' })).status).toBe(404);
  });
});

function ed25519() {
  return generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
}
