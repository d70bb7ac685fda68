import { describe, expect, it } from 'vitest';
import { covers } from '../../../src/platform/access/grants.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { issueKey } from '../../../src/accounts/integrators/issue-key.ts';
import { makeAccount } from '../../harness/people/accounts.ts';
import { testRail } from '../../harness/rail.ts';
import { makeStaff } from '../../harness/people/staff.ts';

const rail = testRail({ DEV_REVEAL: 'on' });

describe('a grant', () => {
  it('covers the agencies that it names, or all', () => {
    expect([covers([], 'URA'), covers(['URA'], 'URA'), covers(['URA'], 'KCCA'), covers(['*'], 'KCCA')]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });
});

describe('POST /v1/ops/keys', () => {
  const issue = async (grants: object) => {
    const [admin, { integrator }] = [await makeStaff(rail, 'admin'), await makeAccount(rail)];
    const answer = await admin.post('/v1/ops/keys', {
      integrator,
      label: 'Counter',
      scopes: ['assessments.write'],
      ...grants,
    });
    return { admin, answer };
  };

  it('200: gives grants, which are shown with the key, also to its holder, and are audited', async () => {
    const grants = { supervises: ['URA', 'KCCA'], counters: ['*'], manages_account: true };
    const { admin, answer } = await issue(grants);
    expect(answer.data.key).toMatchObject(grants);
    const [mine] = (await rail.ask('/v1/me/keys', { key: answer.data.plaintext })).data;
    expect(mine).toMatchObject({ name: answer.data.key.name, ...grants });
    const query = { query: '{ myKeys(first: 1) { nodes { supervises counters managesAccount } } }' };
    const { json } = await rail.ask('/graphql', { key: answer.data.plaintext, body: query });
    expect(json.data.myKeys.nodes).toEqual([{ supervises: ['URA', 'KCCA'], counters: ['*'], managesAccount: true }]);
    const [entry] = (await admin.ask(`/v1/ops/audit?subject=${answer.data.key.name}`)).data;
    expect(entry.after).toMatchObject(grants);
  });

  it('200: gives none where none is asked for', async () => {
    const { answer } = await issue({});
    expect(answer.data.key).toMatchObject({ supervises: [], counters: [], manages_account: false });
  });

  it.each([
    ['supervises', ['NOBODY']],
    ['counters', ['URA', 'NOBODY']],
    ['supervises', ['*', 'URA']],
    ['counters', 'URA'],
    ['counters', Array.from({ length: 201 }, (_, i) => `X${i}`)],
    ['manages_account', 'yes'],
  ])('422: %s is %j', async (name, value) => {
    const { answer } = await issue({ [name]: value });
    expect(answer).toMatchObject({ status: 422, json: { error: { details: [{ path: name }] } } });
  });
});

describe('the first key of an account', () => {
  it('manages it, also where an operator makes the account; a further one does not', async () => {
    const { key } = await makeAccount(rail);
    await rail.ask('/v1/me/keys', { key, body: { label: 'Further', scopes: ['citizens.read'] } });
    const { data } = await rail.ask('/v1/me/keys', { key });
    expect(data.map((one: { manages_account: boolean }) => one.manages_account)).toEqual([false, true]);
    const first = await issueKey(rail.rail, { organisation: 'Office', email: 'office@example.com' }, ['citizens.read']);
    const second = await issueKey(rail.rail, { integrator: first.integrator }, ['citizens.read']);
    expect([first.managesAccount, second.managesAccount]).toEqual([true, false]);
    await expect(
      rail.rows(sql`update api_key set supervises = array['*', 'URA'] where name = ${first.name}`),
    ).rejects.toThrow(/key_supervises/);
  });
});
