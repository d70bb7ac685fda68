import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/platform/config/config.ts';
import { LIVE } from '../harness/live.ts';
import { pageAt } from '../harness/pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'rail-mapping-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const GRANTS = [{ value: 'clerks', roles: ['clerk'], agencies: ['URA'] }];

function settings(mapping: object | string, more: object = {}): Record<string, string | undefined> {
  const path = join(folder, 'mapping.json');
  writeFileSync(path, typeof mapping === 'string' ? mapping : JSON.stringify(mapping));
  const given = { OIDC_ISSUER: 'https://login.example.org/realms/x', OIDC_CLIENT_ID: 'rail', OIDC_CLIENT_SECRET: 's' };
  return { ...given, OIDC_MAPPING: path, ...more };
}

const read = (mapping: object | string, more: object = {}) => readConfig(settings(mapping, more)).singleSignOn;

describe('single sign-on', () => {
  it('is as the documentation has it, and is off without its variables', () => {
    const example = pageAt('docs/operators.md').blocks.find(({ text }) => text.includes('"grants"'))!;
    expect(read(example.text)?.mapping).toMatchObject({
      claim: ['groups'],
      email_verified_claim: ['email_verified'],
      grants: [
        { value: 'rail-clerks', roles: ['clerk'], agencies: [] },
        { value: 'rail-finance', roles: ['finance_officer'] },
        { roles: [], agencies: ['URA'] },
        { agencies: ['*'] },
      ],
      second_factor: { acr: [], amr: ['otp', 'hwk'] },
      timeout_ms: 10_000,
    });
    expect(read({ grants: GRANTS, claim: ['realm_access', 'roles'] })?.mapping.claim).toEqual([
      'realm_access',
      'roles',
    ]);
    expect(readConfig({}).singleSignOn).toBeNull();
  });

  it.each([
    ['{', /cannot be read/],
    [{}, /grants: is required/],
    [{ grants: [] }, /grants: must have at least 1/],
    [{ grants: [{ value: 'x', roles: ['root'] }] }, /grants\.0\.roles\.0: must be one of clerk/],
    [{ grants: [{ value: 'x', agencies: ['*', 'URA'] }] }, /grants\.0\.agencies: must be codes of agencies/],
    [{ grants: [{ value: 'x', agencies: ['ura'] }] }, /grants\.0\.agencies: must be codes of agencies/],
    [{ grants: GRANTS, claims: 'x' }, /has no member claims/],
    [{ grants: GRANTS, ca: 'nowhere.pem' }, /ca: cannot read nowhere\.pem/],
  ])('says in one line what is wrong in a mapping such as %j', (mapping, message) => {
    expect(() => read(mapping)).toThrow(/^OIDC_MAPPING: [^\n]+$/);
    expect(() => read(mapping)).toThrow(message);
  });

  it('needs all of its variables, and an https issuer in live mode', () => {
    for (const variable of ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_MAPPING'])
      expect(() => read({ grants: GRANTS }, { [variable]: undefined })).toThrow(new RegExp(`^${variable}: needed`));
    expect(() => read({ grants: GRANTS }, { OIDC_ISSUER: 'ldap://x' })).toThrow(/^OIDC_ISSUER: /);
    const live = { ...LIVE, DATABASE_URL: 'postgresql://rail@db/rail' };
    expect(read({ grants: GRANTS }, live)).not.toBeNull();
    expect(() => read({ grants: GRANTS }, { ...live, OIDC_ISSUER: 'http://login.example.org' })).toThrow(
      /^OIDC_ISSUER: an https address/,
    );
  });
});
