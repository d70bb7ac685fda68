import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeCertificates } from '../../src/sandbox/simulators/certificates.ts';
import { LIVE } from '../harness/live.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProvider,
  startIdentityProvider,
} from '../harness/people/identity-provider.ts';
import { enrol } from '../harness/people/second-factor.ts';
import { Visitor } from '../harness/people/visitor.ts';
import { testRail } from '../harness/rail.ts';

const ORIGIN = LIVE.BASE_URL;
const folder = mkdtempSync(join(tmpdir(), 'rail-sign-on-'));
const certificates = await makeCertificates();
let provider: IdentityProvider;
const rail = testRail(async () => {
  provider = await startIdentityProvider(ORIGIN, certificates);
  writeFileSync(join(folder, 'ca.pem'), certificates.ca);
  const mapping = {
    grants: [
      { value: 'operators', roles: ['system_manager'], agencies: ['*'] },
      { value: 'clerks', roles: ['clerk'], agencies: ['*'] },
    ],
    second_factor: { acr: ['mfa'], amr: ['otp'] },
    ca: 'ca.pem',
  };
  writeFileSync(join(folder, 'mapping.json'), JSON.stringify(mapping));
  return {
    ...LIVE,
    SMTP_URL: 'smtp://127.0.0.1:9',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: CLIENT_SECRET,
    OIDC_MAPPING: join(folder, 'mapping.json'),
  };
});
afterAll(async () => {
  await provider.close();
  rmSync(folder, { recursive: true });
});

/** Signs somebody in with claims, and answers how their session asks. */
async function signIn(subject: string, claims: object) {
  provider.people.set(subject, {
    email: `${subject}@ministry.example`,
    email_verified: true,
    name: 'Jo Doe',
    ...claims,
  });
  provider.who = subject;
  const visitor = new Visitor({ [ORIGIN]: rail.origin }, certificates.ca);
  const there = await visitor.follow(`${ORIGIN}/signin/sso`, ({ pathname }) => pathname.endsWith('/callback'));
  expect((await visitor.visit(there.next!)).status).toBe(303);
  const cookie = `sid=${visitor.cookie(ORIGIN, 'sid')}`;
  return { cookie, ask: (path: string, body?: object) => rail.ask(path, { body, headers: { cookie } }) };
}

const OPERATOR = { groups: ['operators'] };

describe('single sign-on of a live rail', () => {
  it('takes the provider’s word for a second factor by acr or amr, as it is configured', async () => {
    for (const [subject, claims] of [
      ['by-amr', { amr: ['pwd', 'otp'] }],
      ['by-acr', { acr: 'mfa' }],
    ] as const) {
      const { ask } = await signIn(subject, { ...OPERATOR, ...claims });
      expect((await ask('/v1/work/whoami')).data).not.toHaveProperty('second_factor_required');
      expect((await ask('/v1/ops/staff')).status).toBe(200);
    }
  });

  it('requires the rail’s own elsewhere: to be enrolled once, and shown at each sign-in', async () => {
    const claims = { ...OPERATOR, amr: ['pwd'], acr: '0' };
    const first = await signIn('by-code', claims);
    const refused = await first.ask('/v1/ops/staff');
    expect([refused.status, refused.json.error.details[0].code]).toEqual([403, 'second_factor_required']);
    expect((await first.ask('/v1/work/second-factor:verify', { code: '000000' })).json.error.details).toMatchObject([
      { code: 'second_factor_not_enrolled' },
    ]);
    const app = await enrol(rail, first.cookie);
    expect((await first.ask('/v1/ops/staff')).status).toBe(200);

    const second = await signIn('by-code', claims);
    expect((await second.ask('/v1/ops/staff')).status).toBe(403);
    expect((await second.ask('/v1/work/second-factor:verify', { code: '000000' })).status).toBe(401);
    const code = app.code(1);
    expect((await second.ask('/v1/work/second-factor:verify', { code })).status).toBe(200);
    expect((await second.ask('/v1/ops/staff')).status).toBe(200);
    const third = await signIn('by-code', claims);
    expect((await third.ask('/v1/work/second-factor:verify', { code })).status).toBe(401);
    expect((await third.ask('/v1/ops/staff')).status).toBe(403);
  });

  it('asks clerks for none, and nobody at all for a session', async () => {
    const { ask } = await signIn('a-clerk', { groups: ['clerks'] });
    expect((await ask('/v1/work/mdas')).status).toBe(200);
    expect((await rail.ask('/v1/work/second-factor:verify', { body: { code: '000000' } })).status).toBe(401);
  });
});
