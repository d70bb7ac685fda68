import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

const REGISTER = `mutation ($name: String!, $document: String!) {
  registerOperation(name: $name, document: $document, description: "Net revenue") { name version ownerId document }
}`;
const NET =
  'query ($agency: [ID!]) { oversight { figures(slice: { agency: $agency }) { nodes { revenue { net } } } } }';

let owner: { plaintext: string; integrator: string };
let other: { plaintext: string };

beforeAll(async () => {
  [owner, other] = [await rail.key('oversight.read'), await rail.key('oversight.read')];
  await createConfirmed(rail, await makeActor(rail));
});

const register = async (name: string, document: string, key = owner.plaintext, headers = {}) =>
  (await rail.ask('/graphql', { key, headers, body: { query: REGISTER, variables: { name, document } } })).json;
const run = (reference: string, key = other.plaintext, variables: object = {}) =>
  rail.ask(`/graphql?operation=${reference}&variables=${encodeURIComponent(JSON.stringify(variables))}`, { key });
const codeOf = (json: { errors?: { extensions: { code: string } }[] }) => json.errors?.[0]?.extensions.code;

describe('registerOperation', () => {
  it('registers versions under a name, which others run with rights of their own', async () => {
    expect((await register('net', NET)).data.registerOperation).toEqual({
      name: 'net',
      version: 1,
      ownerId: owner.integrator,
      document: NET,
    });
    const first = await run('net', other.plaintext, { agency: ['URA'] });
    expect(first.json.data.oversight.figures.nodes).toEqual([{ revenue: { net: expect.any(Number) } }]);
    expect(first.headers.get('cache-control')).toMatch(/^private, max-age=/);
    const next = NET.replace('net }', 'net collected }');
    expect((await register('net', next)).data.registerOperation.version).toBe(2);
    expect((await run('net')).json.data.oversight.figures.nodes[0].revenue).toHaveProperty('collected');
    expect((await run('net@1')).json.data.oversight.figures.nodes[0].revenue).not.toHaveProperty('collected');
    for (const name of ['net@3', 'net@0', 'net@', 'nothing']) expect((await run(name)).status, name).toBe(404);
    const undeclared = await run('net', other.plaintext, { agencies: ['URA'] });
    expect(undeclared.status).toBe(422);
    const { plaintext } = await rail.key('catalogue.read');
    expect(codeOf((await run('net', plaintext)).json)).toBe('forbidden');
    const list = '{ registeredOperations { name version description } }';
    const { json } = await rail.ask('/graphql', { key: other.plaintext, body: { query: list } });
    expect(json.data.registeredOperations).toEqual([{ name: 'net', version: 2, description: 'Net revenue' }]);
  });

  it.each([
    ['not GraphQL', '{ oversight {'],
    ['of another schema', '{ oversight { nothing } }'],
    ['a mutation', 'mutation { logOut }'],
    ['of more than oversight', '{ oversight { asOf } agencies { nodes { id } } }'],
    ['two operations', 'query A { oversight { asOf } } query B { oversight { asOf } }'],
    ['only a fragment', 'fragment F on Oversight { asOf }'],
    ['introspection', '{ __schema { types { name } } }'],
    [
      'beyond the bounds',
      `{ oversight { anomalies(first: 500) { nodes { ${Array.from({ length: 28 }, (_, nth) => `a${nth}: agency { name city: name short: name }`).join(' ')} } } } }`,
    ],
  ])('422: a document that is %s', async (_what, document) => {
    expect(codeOf(await register('wrong', document))).toBe('validation_failed');
    expect(await rail.count(sql`select 1 from registered_operation where name = 'wrong'`)).toBe(0);
  });

  it("422: a name that is another's, or the rail's, or none", async () => {
    await register('taken', NET);
    expect(codeOf(await register('taken', NET, other.plaintext))).toBe('validation_failed');
    for (const name of ['revenue-by-month', 'Net', 'n', 'net@1', '../net'])
      expect(codeOf(await register(name, NET)), name).toBe('validation_failed');
    expect(codeOf(await register('long', `${NET} # ${'x'.repeat(16_000)}`))).toBe('validation_failed');
  });

  it('registers a request that is repeated once', async () => {
    const headers = { 'idempotency-key': 'registered-once' };
    const [one, again] = [
      await register('repeated', NET, owner.plaintext, headers),
      await register('repeated', NET, owner.plaintext, headers),
    ];
    expect(again).toEqual(one);
    expect(await rail.count(sql`select 1 from registered_operation where name = 'repeated'`)).toBe(1);
  });

  it('is what staff do too, which is audited', async () => {
    const admin = await makeStaff(rail, 'admin');
    const variables = { name: 'of-staff', document: NET };
    const { json } = await admin.ask('/graphql', { body: { query: REGISTER, variables } });
    expect(json.data.registerOperation).toMatchObject({ version: 1, ownerId: 'staff' });
    expect(await rail.count(sql`select 1 from operator_audit where action = 'operation.register'`)).toBe(1);
  });
});
