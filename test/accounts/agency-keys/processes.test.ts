import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOf } from '../../../src/platform/call/call.ts';
import { commandLine } from '../../../src/platform/access/viewer.ts';
import { findFreePort } from '../../../src/platform/database/cluster/free-port.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { ensureSigningKey } from '../../../src/platform/access/tokens/signing-keys.ts';
import { purgeAssertions } from '../../../src/accounts/agency-keys/purge.ts';
import { revokeAgencyKey } from '../../../src/accounts/agency-keys/revoke.ts';
import { GRANT, makeAgency } from '../../harness/people/agency.ts';
import { type Served, capture, serve } from '../../harness/processes.ts';
import { testRail } from '../../harness/rail.ts';

/** The address that both have, wherever they listen. */
const BASE_URL = 'http://rail.example.org';
const rail = testRail({ BASE_URL });
const env = () => ({ DATABASE_URL: rail.url, BASE_URL, JOBS: 'off', LOG_LEVEL: 'error' });

let other: Served;
beforeAll(async () => {
  const port = await findFreePort();
  const served = await serve('src/app/main.ts', { ...env(), PORT: String(port) });
  other = { ...served, origin: `http://127.0.0.1:${port}` };
});
afterAll(() => other.kill());

const statusOf = async (origin: string, token: string) =>
  (await fetch(`${origin}/v1/integrations`, { headers: { authorization: `Bearer ${token}` } })).status;

const askAt = (origin: string, assertion: string) =>
  fetch(`${origin}/v1/agency-tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: GRANT, assertion }),
  });

describe('two processes', () => {
  it('share one signing key: the token of one is good at the other, until its key is revoked', async () => {
    const agency = await makeAgency(rail);
    const token = await agency.token();
    expect([await statusOf(other.origin, token), await statusOf(rail.origin, token)]).toEqual([200, 200]);
    const there = await askAt(other.origin, await agency.sign());
    const { data } = (await there.json()) as { data: { access_token: string } };
    expect(await statusOf(rail.origin, data.access_token)).toBe(200);
    await revokeAgencyKey(callOf(rail.rail, commandLine, 'test'), { id: agency.key, reason: 'Lost' });
    for (const origin of [other.origin, rail.origin])
      expect([await statusOf(origin, token), await statusOf(origin, data.access_token)]).toEqual([401, 401]);
  });

  it('give one token for an assertion that both are sent at once', async () => {
    const agency = await makeAgency(rail, 'KCCA');
    for (let round = 0; round < 5; round++) {
      const assertion = await agency.sign();
      const origins = [rail.origin, other.origin, rail.origin, other.origin];
      const answers = await Promise.all(origins.map((origin) => askAt(origin, assertion)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401]);
    }
  });

  it('make one signing key where they start at once', async () => {
    await rail.rows(sql`delete from signing_key where use = 'token'`);
    await Promise.all(Array.from({ length: 8 }, () => ensureSigningKey(rail.rail, 'token')));
    expect(await rail.count(sql`select from signing_key where use = 'token'`)).toBe(1);
  });

  it('both sign with the key that a command rolls to', async () => {
    const agency = await makeAgency(rail);
    const before = await agency.token();
    const args = ['signing-key:roll', '--reason', 'Yearly', '--json'];
    const { kid, previous } = JSON.parse(await capture('src/app/cli/admin.ts', args, env())) as Record<string, string>;
    const kids = async (origin: string) =>
      ((await (await fetch(`${origin}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }).keys.map(
        (key) => key.kid,
      );
    for (const origin of [rail.origin, other.origin]) expect(await kids(origin)).toEqual([kid, previous]);
    expect(await statusOf(other.origin, before)).toBe(200);
    expect(await statusOf(other.origin, await agency.token())).toBe(200);
  });
});

it('forgets assertions once they are over, and not before', async () => {
  const agency = await makeAgency(rail, 'URSB');
  const assertion = await agency.sign();
  expect((await agency.ask(assertion)).status).toBe(200);
  expect((await rail.rail.db.row(sql`select 1 from agency_assertion`)) !== null).toBe(true);
  expect(await purgeAssertions(rail.rail)).toBe(0);
  rail.advance(0.2);
  expect(await purgeAssertions(rail.rail)).toBeGreaterThan(0);
  expect((await agency.ask(assertion)).status).toBe(401);
  rail.advance(-0.2);
});
