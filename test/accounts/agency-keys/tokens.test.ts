import { createHmac, createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import { SignJWT, createLocalJWKSet, decodeJwt, decodeProtectedHeader, exportJWK, jwtVerify } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { callOf } from '../../../src/platform/call/call.ts';
import { commandLine } from '../../../src/platform/access/viewer.ts';
import { openSigningKey, rollSigningKey } from '../../../src/platform/access/tokens/signing-keys.ts';
import { registerAgencyKey } from '../../../src/accounts/agency-keys/register.ts';
import { revokeAgencyKey } from '../../../src/accounts/agency-keys/revoke.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import {
  type AgencyAlgorithm,
  GRANT,
  askForToken,
  makeAgency,
  makePair,
  signAssertion,
} from '../../harness/people/agency.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail({ BASE_URL: 'https://rail.example.org' });

const code = (answer: { json: { error: { details?: { code?: string }[] } } }) => answer.json.error.details?.[0]?.code;
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const operator = () => callOf(rail.rail, commandLine, 'test');

describe('POST /v1/agency-tokens', () => {
  it.each<AgencyAlgorithm>(['EdDSA', 'ES256', 'PS256', 'RS256'])(
    '200: a token for an assertion that is signed with %s',
    async (alg) => {
      const agency = await makeAgency(rail, 'URA', ['catalogue.read'], alg);
      const { status, data } = await agency.ask(await agency.sign());
      expect([status, data]).toEqual([
        200,
        {
          access_token: expect.stringMatching(/^eyJ/),
          token_type: 'Bearer',
          expires_in: 900,
          scope: 'catalogue.read',
          mda: 'URA',
        },
      ]);
    },
  );

  it('200: signs by EdDSA what it says, and anybody can verify it by the published keys', async () => {
    const agency = await makeAgency(rail);
    const token = await agency.token('assessments.read payments.read');
    const jwks = await rail.ask('/.well-known/jwks.json');
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(jwks.json), { typ: 'at+jwt' });
    expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: jwks.json.keys[0].kid });
    const { iat, exp, ...said } = payload;
    expect(said).toEqual({
      iss: 'https://rail.example.org',
      aud: 'https://rail.example.org',
      sub: 'URA',
      mda: 'URA',
      scope: 'assessments.read payments.read',
      agency_key: agency.key,
      jti: expect.any(String),
    });
    expect(exp! - iat!).toBe(900);
  });

  it('200: takes a form, as OAuth has it, and the address of the endpoint as the audience', async () => {
    const agency = await makeAgency(rail);
    const assertion = await agency.sign({ claims: { aud: 'https://rail.example.org/v1/agency-tokens' } });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({ grant_type: GRANT, assertion }).toString();
    expect((await rail.ask('/v1/agency-tokens', { body, headers })).data.token_type).toBe('Bearer');
    const twice = await rail.ask('/v1/agency-tokens', { body: `${body}&assertion=x`, headers });
    expect([twice.status, twice.code]).toEqual([422, 'validation_failed']);
  });

  it('401 invalid_grant: an assertion counts once, however it is sent again', async () => {
    const agency = await makeAgency(rail);
    const assertion = await agency.sign();
    const headers = { 'idempotency-key': 'k1' };
    const body = { grant_type: GRANT, assertion };
    expect((await rail.ask('/v1/agency-tokens', { body, headers })).status).toBe(200);
    const again = await rail.ask('/v1/agency-tokens', { body, headers });
    expect([again.status, again.code, code(again)]).toEqual([401, 'unauthenticated', 'invalid_grant']);
    expect(again.json.error.message).toMatch(/^invalid_grant: /);
    // The same words under another signature are the same assertion.
    const resigned = await agency.sign({ claims: { jti: decodeJwt(assertion).jti } });
    expect((await agency.ask(resigned)).status).toBe(401);
    // Those of another agency are not.
    const other = await makeAgency(rail, 'KCCA');
    expect((await other.ask(await other.sign({ claims: { jti: decodeJwt(assertion).jti } }))).status).toBe(200);
  });

  it('tolerates clocks that differ by 60 seconds, and not more', async () => {
    const agency = await makeAgency(rail);
    const at = rail.rail.now();
    const clock = vi.spyOn(rail.rail, 'now').mockReturnValue(at);
    try {
      const now = Math.floor(at.getTime() / 1_000);
      const outcome = async (claims: Record<string, number>) =>
        (await agency.ask(await agency.sign({ claims }))).status;
      expect(await outcome({ iat: now - 300, exp: now - 59 })).toBe(200);
      expect(await outcome({ iat: now - 300, exp: now - 61 })).toBe(401);
      expect(await outcome({ iat: now + 59, exp: now + 120 })).toBe(200);
      expect(await outcome({ iat: now + 61, exp: now + 120 })).toBe(401);
      expect(await outcome({ nbf: now + 59 })).toBe(200);
      expect(await outcome({ nbf: now + 61 })).toBe(401);
      expect(await outcome({ exp: now + 300 + 59 })).toBe(200);
      expect(await outcome({ exp: now + 300 + 61 })).toBe(401);
    } finally {
      clock.mockRestore();
    }
  });

  it.each<[string, Record<string, unknown>]>([
    ['another audience', { aud: 'https://elsewhere.example' }],
    ['several audiences', { aud: ['https://rail.example.org', 'https://elsewhere.example'] }],
    ['no audience', { aud: undefined }],
    ['another subject', { sub: 'KCCA' }],
    ['no subject', { sub: undefined }],
    ['no jti', { jti: undefined }],
    ['an empty jti', { jti: '' }],
    ['a jti that is too long', { jti: 'x'.repeat(256) }],
    ['a jti that is no text', { jti: 5 }],
    ['no iat', { iat: undefined }],
    ['no exp', { exp: undefined }],
    ['an exp that is no number', { exp: 'soon' }],
    ['an exp beyond all time', { exp: 1e300 }],
  ])('401 invalid_grant: %s', async (_name, claims) => {
    const agency = await makeAgency(rail);
    const answer = await agency.ask(await agency.sign({ claims }));
    expect([answer.status, answer.code, code(answer)]).toEqual([401, 'unauthenticated', 'invalid_grant']);
  });

  it('401 invalid_grant: says the same of an unknown agency, an unknown key and a wrong signature', async () => {
    const agency = await makeAgency(rail);
    const stranger = await makePair();
    const kept = { kid: agency.pair.kid };
    const claims = (mda: string) => ({ claims: { iss: mda, sub: mda } });
    const assertions = [
      await signAssertion(rail, 'NOBODY', stranger),
      await signAssertion(rail, 'NOBODY', stranger, { header: kept }),
      await signAssertion(rail, 'URA', stranger),
      await signAssertion(rail, 'URA', stranger, { header: kept }),
      await signAssertion(rail, 'KCCA', stranger, { header: kept }),
      // Its own key, for another agency.
      await agency.sign(claims('KCCA')),
      await agency.sign({ claims: { iss: undefined } }),
      await agency.sign({ claims: { iss: ['URA'] } }),
      await agency.sign({ header: { kid: undefined } }),
      await agency.sign({ header: { kid: "' or true --" } }),
      await agency.sign({ header: { kid: '\0' } }),
      `${(await agency.sign()).slice(0, -4)}AAAA`,
      'no assertion at all',
      'a.b.c',
      `${encode({ alg: 'EdDSA', kid: agency.pair.kid })}.${encode([])}.`,
      `${encode(null)}.${encode(null)}.`,
    ];
    const answers = await Promise.all(assertions.map((assertion) => agency.ask(assertion)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual(assertions.map(() => 401));
  });

  it('401 invalid_grant: takes no algorithm but those of the key', async () => {
    const rsa = await makeAgency(rail, 'URA', ['catalogue.read'], 'RS256');
    const ec = await makeAgency(rail, 'URA', ['catalogue.read'], 'ES256');
    const now = Math.floor(rail.rail.now().getTime() / 1_000);
    const claims = { iss: 'URA', sub: 'URA', aud: 'https://rail.example.org', iat: now, exp: now + 60 };
    const forge = (header: object, sign: (input: string) => Buffer | string) => {
      const input = `${encode(header)}.${encode({ ...claims, jti: randomUUID() })}`;
      const signature = sign(input);
      return `${input}.${typeof signature === 'string' ? signature : signature.toString('base64url')}`;
    };
    const { kid } = rsa.pair;
    const forged = [
      // The public key as a secret, in each of its forms.
      ...[rsa.pair.pem, rsa.pair.pem.trim(), JSON.stringify(rsa.pair.jwk), ''].map((secret) =>
        forge({ alg: 'HS256', kid }, (input) => createHmac('sha256', secret).update(input).digest()),
      ),
      forge({ alg: 'none', kid }, () => ''),
      forge({ alg: 'None', kid }, () => ''),
      forge({ alg: 'RS512', kid }, (input) => createSign('sha512').update(input).sign(rsa.pair.privateKey)),
      // A signature of one kind under the name of another, and a key of one kind under that of another.
      forge({ alg: 'ES256', kid }, (input) => createSign('sha256').update(input).sign(rsa.pair.privateKey)),
      forge({ alg: 'RS256', kid }, (input) => createSign('sha256').update(input).sign(ec.pair.privateKey)),
      forge({ alg: 'RS256', kid: ec.pair.kid }, (input) =>
        createSign('sha256').update(input).sign(rsa.pair.privateKey),
      ),
      forge({ alg: 'PS256', kid }, (input) => createSign('sha256').update(input).sign(rsa.pair.privateKey)),
      // A key that comes with the assertion, or that is to be fetched.
      forge({ alg: 'ES256', kid: 'x', jwk: ec.pair.jwk }, (input) =>
        createSign('sha256').update(input).sign({ key: ec.pair.privateKey, dsaEncoding: 'ieee-p1363' }),
      ),
      forge({ alg: 'RS256', kid, crit: ['b64'], b64: false }, (input) =>
        createSign('sha256').update(input).sign(rsa.pair.privateKey),
      ),
    ];
    for (const assertion of forged) expect((await askForToken(rail, assertion)).status, assertion).toBe(401);
    const right = forge({ alg: 'RS256', kid }, (input) => createSign('sha256').update(input).sign(rsa.pair.privateKey));
    expect((await askForToken(rail, right)).status).toBe(200);
  });

  it('a key that names its algorithm is held to it', async () => {
    const pair = await makePair('RS256');
    const publicKey = { ...pair.jwk, alg: 'PS256', kid: 'signing-2026' };
    const { kid } = await registerAgencyKey(operator(), {
      agency: 'URA',
      publicKey,
      scopes: ['catalogue.read'],
      label: 'P',
    });
    const by = (alg: AgencyAlgorithm) => signAssertion(rail, 'URA', { ...pair, alg, kid });
    expect((await askForToken(rail, await by('RS256'))).status).toBe(401);
    expect((await askForToken(rail, await by('PS256'))).status).toBe(200);
  });

  it('403 invalid_scope: the key lacks a scope; the assertion may be used again', async () => {
    const agency = await makeAgency(rail, 'URA', ['catalogue.read']);
    const assertion = await agency.sign();
    const answer = await agency.ask(assertion, 'catalogue.read payments.initiate');
    expect([answer.status, answer.code, code(answer)]).toEqual([403, 'forbidden', 'invalid_scope']);
    expect(answer.json.error.message).toContain('payments.initiate');
    expect((await agency.ask(assertion, 'catalogue.read catalogue.read')).data.scope).toBe('catalogue.read');
  });

  it('422: another grant type, a member that is missing, an assertion that is too long', async () => {
    const agency = await makeAgency(rail);
    const assertion = await agency.sign();
    const other = await rail.ask('/v1/agency-tokens', { body: { grant_type: 'client_credentials', assertion } });
    expect([other.status, code(other)]).toEqual([422, 'unsupported_grant_type']);
    expect((await rail.ask('/v1/agency-tokens', { body: { grant_type: GRANT } })).status).toBe(422);
    expect((await agency.ask('x'.repeat(8_193))).status).toBe(422);
  });

  it('401: a key that was revoked, or whose grace window is over, or whose agency is Inactive', async () => {
    const agency = await makeAgency(rail, 'NIRA');
    await rail.rows(sql`update mda set status = 'Inactive' where name = 'NIRA'`);
    expect((await agency.ask(await agency.sign())).status).toBe(401);
    await rail.rows(sql`update mda set status = 'Active' where name = 'NIRA'`);
    expect((await agency.ask(await agency.sign())).status).toBe(200);
    await revokeAgencyKey(operator(), { id: agency.key, reason: 'Lost' });
    expect((await agency.ask(await agency.sign())).status).toBe(401);
  });
});

describe('a token of an agency', () => {
  it('is accepted where a key is, in either header, over REST and GraphQL', async () => {
    const agency = await makeAgency(rail);
    const token = await agency.token();
    expect((await rail.ask('/v1/integrations', { key: token })).status).toBe(200);
    const headers = { 'x-service-authorization': `Bearer ${token}` };
    expect((await rail.ask('/v1/integrations', { headers })).status).toBe(200);
    expect((await rail.ask('/v1/integrations', { key: 'another', headers })).status).toBe(401);
    const { json } = await rail.ask('/graphql', { key: token, body: { query: '{ integrations }' } });
    expect(json.data.integrations).toBeTypeOf('object');
  });

  it('403: does no more than its scopes say, and has no account', async () => {
    const agency = await makeAgency(rail);
    const token = await agency.token('catalogue.read');
    for (const path of ['/v1/assessments', '/v1/payment-events', '/v1/citizens', '/v1/oversight/revenue'])
      expect((await rail.ask(path, { key: token })).status, path).toBe(403);
    for (const path of ['/v1/assessments', '/v1/citizens'])
      expect((await rail.ask(path, { key: token, body: {} })).status, path).toBe(403);
    const me = await rail.ask('/v1/me', { key: token });
    expect([me.status, me.code]).toEqual([403, 'forbidden']);
    for (const path of ['/v1/ops/keys', '/v1/work/mdas', '/v1/work/whoami', '/v1/supervisor/dashboard'])
      expect((await rail.ask(path, { key: token })).status, path).toBe(401);
    const body = { query: '{ assessments { nodes { id } } }' };
    const { json } = await rail.ask('/graphql', { key: token, body });
    expect(json.errors[0].extensions.code).toBe('forbidden');
  });

  it('is audited under its agency and key, and counted by its key', async () => {
    const agency = await makeAgency(rail, 'KCCA');
    const { headers } = await rail.ask('/v1/integrations', { key: await agency.token() });
    expect(headers.get('ratelimit-policy')).toMatch(/^"key";/);
    await rail.rail.audit.flush();
    const rows = await rail.rows(sql`
      select actor, key, integrator, event, endpoint from audit_log where key = ${agency.key}`);
    expect(rows).toEqual([
      {
        actor: 'KCCA',
        key: agency.key,
        integrator: null,
        event: 'api.auth.granted',
        endpoint: 'GET /v1/integrations',
      },
    ]);
  });

  it('401: from the next request on once its key is revoked, or its agency is Inactive', async () => {
    const agency = await makeAgency(rail, 'NIRA');
    const token = await agency.token();
    const status = async () => (await rail.ask('/v1/integrations', { key: token })).status;
    expect(await status()).toBe(200);
    await rail.rows(sql`update mda set status = 'Inactive' where name = 'NIRA'`);
    expect(await status()).toBe(401);
    await rail.rows(sql`update mda set status = 'Active' where name = 'NIRA'`);
    expect(await status()).toBe(200);
    await revokeAgencyKey(operator(), { id: agency.key, reason: 'Lost' });
    expect(await status()).toBe(401);
  });

  it('401: once its 15 minutes are over', async () => {
    const agency = await makeAgency(rail);
    const token = await agency.token();
    const at = rail.rail.now().getTime();
    const clock = vi.spyOn(rail.rail, 'now');
    try {
      clock.mockReturnValue(new Date(at + 890_000));
      expect((await rail.ask('/v1/integrations', { key: token })).status).toBe(200);
      clock.mockReturnValue(new Date(at + 901_000));
      const { status, json } = await rail.ask('/v1/integrations', { key: token });
      expect([status, json.error.message]).toEqual([401, 'The token has expired; ask for another']);
    } finally {
      clock.mockRestore();
    }
  });

  it('401: what was changed, or is no token of this rail', async () => {
    const agency = await makeAgency(rail);
    const token = await agency.token('catalogue.read');
    const [header, payload, signature] = token.split('.');
    const { kid } = decodeProtectedHeader(token);
    const claims = decodeJwt(token);
    const own = await openSigningKey(rail.rail, 'token');
    const foreign = generateKeyPairSync('ed25519').privateKey;
    const sign = (said: object, protectedHeader: object, key: Parameters<SignJWT['sign']>[0] = own.privateKey) =>
      new SignJWT({ ...claims, ...said })
        .setProtectedHeader({ alg: 'EdDSA', kid: kid!, typ: 'at+jwt', ...protectedHeader })
        .sign(key);
    const jwk = await exportJWK(foreign);
    const wrong = [
      `${header}.${encode({ ...claims, scope: 'oversight.read' })}.${signature}`,
      `${header}.${encode({ ...claims, exp: claims.exp! + 900 })}.${signature}`,
      `${header}.${payload}.`,
      `${encode({ alg: 'none', typ: 'at+jwt', kid })}.${payload}.`,
      `${header}.${payload}.${'A'.repeat(86)}`,
      await sign({}, {}, foreign),
      await sign({}, { kid: 'A'.repeat(43) }),
      await sign({}, { jwk, kid }, foreign),
      // Signed by the rail for another purpose, or by another rail for this one.
      await sign({}, { typ: 'JWT' }),
      await sign({ iss: 'https://elsewhere.example' }, {}),
      await sign({ aud: 'https://elsewhere.example' }, {}),
      await sign({ sub: 'KCCA' }, {}),
      await sign({ agency_key: 'AGKEY-2020-000001' }, {}),
      await sign({ agency_key: undefined }, {}),
      await sign({ jti: undefined }, {}),
      await sign({ exp: undefined }, {}),
      // The assertion itself.
      await agency.sign(),
      await agency.sign({ header: { typ: 'at+jwt' } }),
      `${header}.${'A'.repeat(5_000)}.${signature}`,
    ];
    for (const one of wrong) {
      const { status, code: refused } = await rail.ask('/v1/integrations', { key: one });
      expect([status, refused], one.slice(0, 400)).toEqual([401, 'unauthenticated']);
    }
    // More than its key has is worth nothing, though the rail had signed it.
    const more = await sign({ scope: 'catalogue.read oversight.read' }, {});
    expect((await rail.ask('/v1/integrations', { key: more })).status).toBe(200);
    expect((await rail.ask('/v1/oversight/revenue', { key: more })).status).toBe(403);
  });
});

describe('GET /.well-known/jwks.json', () => {
  it('200: has the keys and nothing secret, to be kept by its tag', async () => {
    const { status, json, headers } = await rail.ask('/.well-known/jwks.json');
    expect(status).toBe(200);
    expect(json.keys[0]).toEqual({
      kty: 'OKP',
      crv: 'Ed25519',
      x: expect.stringMatching(/^[\w-]{43}$/),
      kid: expect.stringMatching(/^[\w-]{43}$/),
      use: 'sig',
      alg: 'EdDSA',
    });
    expect(headers.get('cache-control')).toBe('public, no-cache');
    const known = { 'if-none-match': headers.get('etag')! };
    expect((await rail.ask('/.well-known/jwks.json', { headers: known })).status).toBe(304);
  });

  it('keeps a former key until its tokens are over, and not one that is dropped at once', async () => {
    const agency = await makeAgency(rail);
    const before = await agency.token();
    const kids = async () =>
      ((await rail.ask('/.well-known/jwks.json')).json.keys as { kid: string }[]).map(({ kid }) => kid);
    const [former] = await kids();
    const rolled = await rollSigningKey(operator(), 'token', { atOnce: false, reason: 'Yearly' });
    expect(rolled.previous).toBe(former);
    expect(await kids()).toEqual([rolled.kid, former]);
    const status = async (token: string) => (await rail.ask('/v1/integrations', { key: token })).status;
    expect(await status(before)).toBe(200);
    const after = await agency.token();
    expect([decodeProtectedHeader(after).kid, await status(after)]).toEqual([rolled.kid, 200]);
    const [audited] = await rail.rows<{ action: string; reason: string }>(
      sql`select action, reason from operator_audit where subject = ${rolled.kid}`,
    );
    expect(audited).toEqual({ action: 'signing_key.roll', reason: 'Yearly' });

    const again = await rollSigningKey(operator(), 'token', { atOnce: true, reason: null });
    expect(await kids()).toEqual([again.kid, former]);
    expect([await status(after), await status(before)]).toEqual([401, 200]);
    rail.advance(0.3);
    expect(await kids()).toEqual([again.kid]);
    rail.advance(-0.3);
  });

  it('two rolls at once are one after the other', async () => {
    await Promise.all([1, 2, 3].map(() => rollSigningKey(operator(), 'token', { atOnce: false, reason: null })));
    expect(await rail.count(sql`select from signing_key where use = 'token' and expires_at is null`)).toBe(1);
  });
});
