import { describe, expect, it } from 'vitest';
import { issueKey } from '../../../src/accounts/integrators/issue-key.ts';
import { accessOf } from '../../../src/graphql/plugins/access.ts';
import { schema } from '../../../src/app/schema.ts';
import { loadEndpoints } from '../../../rest/load.ts';
import { type Account, makeAccount, signIn } from '../../harness/people/accounts.ts';
import { testRail } from '../../harness/rail.ts';
import { makeStaff } from '../../harness/people/staff.ts';

const rail = testRail({ DEV_REVEAL: 'on' });
const { endpoints } = loadEndpoints(schema);

const rotate = (key: string, name: string) => rail.ask(`/v1/me/keys/${name}:rotate`, { key, body: {} });
const revoke = (key: string, name: string) => rail.ask(`/v1/me/keys/${name}:revoke`, { key, body: { reason: 'Test' } });

async function narrowKey({ key }: Account, more: object = {}): Promise<{ name: string; plaintext: string }> {
  const { data } = await rail.ask('/v1/me/keys', {
    key,
    body: { label: 'Narrow', scopes: ['citizens.read'], ...more },
  });
  return { name: data.key.name, plaintext: data.plaintext };
}

describe('a key that does not manage its account', () => {
  it('changes nothing of it: 403 that says why, before the input is looked at, over REST and GraphQL', async () => {
    const narrow = await narrowKey(await makeAccount(rail));
    const changing = endpoints.filter(({ field }) => accessOf(field).need === 'account.manage');
    expect(changing.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'PATCH /v1/me',
      'POST /v1/me',
      'POST /v1/me/browser-keys',
      'POST /v1/me/keys',
      'POST /v1/me/webhook-deliveries/{name}:redeliver',
      'POST /v1/me/webhook-deliveries:redeliver',
      'POST /v1/me/webhook-secret:rotate',
      'POST /v1/me/webhook:test',
      'POST /v1/me:request-live',
    ]);
    for (const { method, path } of changing) {
      const answer = await rail.ask(path.replace('{name}', 'X'), { key: narrow.plaintext, method, body: {} });
      expect(answer, path).toMatchObject({ status: 403, code: 'forbidden' });
      expect(answer.json.error.message).toMatch(/manages_account/);
    }
    const query = 'mutation { updateMe(displayName: "Taken over") { id } }';
    const { json } = await rail.ask('/graphql', { key: narrow.plaintext, body: { query } });
    expect(json.errors).toMatchObject([{ extensions: { code: 'forbidden' } }]);
  });

  it('reads all of it', async () => {
    const narrow = await narrowKey(await makeAccount(rail));
    for (const path of ['/v1/me', '/v1/me/keys', '/v1/me/logs', '/v1/me/webhook-deliveries', '/v1/session'])
      expect((await rail.ask(path, { key: narrow.plaintext })).status, path).toBe(200);
  });

  it('rotates and revokes itself, and no other key, whether there is one or not', async () => {
    const account = await makeAccount(rail);
    const narrow = await narrowKey(account);
    for (const name of [account.keyName, 'KEY-2020-000001']) {
      expect(await rotate(narrow.plaintext, name)).toMatchObject({ status: 403, code: 'forbidden' });
      expect(await revoke(narrow.plaintext, name)).toMatchObject({ status: 403, code: 'forbidden' });
    }
    const { data } = await rotate(narrow.plaintext, narrow.name);
    expect(data.key).toMatchObject({ scopes: ['citizens.read'], manages_account: false });
    expect((await revoke(data.plaintext, narrow.name)).status).toBe(403);
    expect((await revoke(data.plaintext, data.key.name)).data.status).toBe('revoked');
    expect((await rail.ask('/v1/me', { key: account.key })).status).toBe(200);
  });
});

describe('a key that manages its account', () => {
  it('hands that on to its successor, and to further keys on request alone', async () => {
    const account = await makeAccount(rail);
    const { data } = await rotate(account.key, account.keyName);
    expect(data.key.manages_account).toBe(true);
    const manager = await narrowKey({ ...account, key: data.plaintext }, { manages_account: true });
    expect(
      (await rail.ask('/v1/me', { key: manager.plaintext, method: 'PATCH', body: { display_name: 'By a second' } }))
        .status,
    ).toBe(200);
    const cookie = await signIn(rail, account);
    const body = { label: 'By hand', scopes: ['citizens.read'], manages_account: true };
    expect((await rail.ask('/v1/me/keys', { headers: { cookie }, body })).data.key.manages_account).toBe(true);
  });
});

describe('a key that its account could not issue', () => {
  it.each([
    ['a grant', ['assessments.write'], { supervises: ['*'] }],
    ['another grant', ['assessments.write'], { counters: ['URA'] }],
    ['a scope', ['oversight.read'], {}],
  ] as const)(
    'is rotated by itself and by operators, and by nothing else of the account: %s',
    async (_what, scopes, grants) => {
      const account = await makeAccount(rail);
      const granted = await issueKey(rail.rail, account, scopes, 'Granted', grants);
      const cookie = await signIn(rail, account);
      const path = `/v1/me/keys/${granted.name}:rotate`;
      for (const credential of [{ key: account.key }, { headers: { cookie } }])
        expect(await rail.ask(path, { ...credential, body: {} })).toMatchObject({ status: 403, code: 'forbidden' });
      const own = await rotate(granted.plaintext, granted.name);
      expect(own.data.key).toMatchObject({ scopes, ...grants });
      const admin = await makeStaff(rail, 'system_manager');
      const byOperator = await admin.post(`/v1/ops/keys/${own.data.key.name}:rotate`);
      expect(byOperator.data).toMatchObject({
        key: { scopes, ...grants, issued_by: admin.email },
        previous: { status: 'rolling' },
      });
      const [entry] = (await admin.ask(`/v1/ops/audit?subject=${byOperator.data.key.name}`)).data;
      expect(entry).toMatchObject({ action: 'key.rotate', actor: admin.email });
      expect(
        (
          await rail.ask(`/v1/me/keys/${byOperator.data.key.name}:revoke`, {
            key: account.key,
            body: { reason: 'Not needed' },
          })
        ).status,
      ).toBe(200);
    },
  );
});
