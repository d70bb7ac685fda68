import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { schema } from '../../../src/app/schema.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { OPERATION_LIMITS } from '../../../src/graphql/builder.ts';
import { makeActor, someCitizen, twoLines } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

const hashOf = (query: string) => createHash('sha256').update(query).digest('hex');
const persisted = (query: string) => ({ persistedQuery: { version: 1, sha256Hash: hashOf(query) } });
const codeOf = (answer: { json: { errors?: { extensions: { code: string } }[] } }) =>
  answer.json.errors?.[0]?.extensions.code;

interface More {
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly variables?: object;
}
const byHash = (query: string, { variables, ...more }: More = {}) =>
  rail.ask('/graphql', { ...more, body: { variables, extensions: persisted(query) } });
const whole = (query: string, { variables, ...more }: More = {}) =>
  rail.ask('/graphql', { ...more, body: { query, variables, extensions: persisted(query) } });
const byAddress = (query: string, parameters: Record<string, string> = {}) =>
  rail.ask(
    `/graphql?${new URLSearchParams({ extensions: JSON.stringify(persisted(query)), ...parameters }).toString()}`,
    {
      headers: { accept: 'application/json' },
    },
  );

describe('automatic persisted queries', () => {
  it('asks for the text of a hash that it does not know, and knows it from then on, by POST and GET', async () => {
    const query = '{ agencies(first: 1) { nodes { id } } }';
    for (const unknown of [await byHash(query), await byAddress(query)]) {
      expect([unknown.status, unknown.json]).toEqual([
        200,
        { errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] },
      ]);
    }
    const first = await whole(query);
    expect(first.json.data.agencies.nodes).toHaveLength(1);
    for (const again of [await byHash(query), await byAddress(query)]) expect(again.json).toEqual(first.json);
    const other = 'query Other { agencies(first: 2) { nodes { id } } }';
    expect((await byAddress(other, { query: other })).json.data.agencies.nodes).toHaveLength(2);
    expect((await byAddress(other)).json.data.agencies.nodes).toHaveLength(2);
  });

  it('keeps no text under a hash that is not its own', async () => {
    const [query, another] = ['{ agencies(first: 3) { nodes { id } } }', '{ agencies(first: 4) { nodes { id } } }'];
    const lie = await rail.ask('/graphql', { body: { query: another, extensions: persisted(query) } });
    expect(codeOf(lie)).toBe('PERSISTED_QUERY_MISMATCH');
    const strange = { persistedQuery: { version: 2, sha256Hash: hashOf(query) } };
    expect(
      (await rail.ask('/graphql', { body: { query: another, extensions: strange } })).json.data.agencies.nodes,
    ).toHaveLength(4);
    expect(codeOf(await byHash(query))).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  it('keeps nothing that is refused for its form, its size or its cost, and holds what it keeps to each bound again', async () => {
    const services = 'nodes { services { nodes { agency { services { nodes { id } } } } } }';
    for (const refused of [
      '{ agencies {',
      '{ nothing }',
      `{ agencies { nodes { ${'id '.repeat(4_000)} } } }`,
      `{ agencies(first: 500) { ${services} } }`,
      `{ ${Array.from({ length: 31 }, (_, i) => `a${i}: agency(id: "URA") { name }`).join(' ')} }`,
    ]) {
      expect(codeOf(await whole(refused)), refused.slice(0, 40)).toBe('validation_failed');
      expect(codeOf(await byHash(refused)), refused.slice(0, 40)).toBe('PERSISTED_QUERY_NOT_FOUND');
    }
    const long = `{ agencies(first: 1) { nodes { id } } } # ${'x'.repeat(16 * 1024)}`;
    expect((await whole(long)).json.data.agencies.nodes).toHaveLength(1);
    expect(codeOf(await byHash(long))).toBe('PERSISTED_QUERY_NOT_FOUND');
    const priced = `query ($limit: Int!) { agencies(first: $limit) { ${services} } }`;
    expect((await whole(priced, { variables: { limit: 1 } })).json.data.agencies.nodes).toHaveLength(1);
    expect(codeOf(await byHash(priced, { variables: { limit: 500 } }))).toBe('validation_failed');
    expect(codeOf(await byHash(priced, { variables: { limit: 'x' } }))).toBe('validation_failed');
  });

  it('asks for the same credential and scope, whoever made a text known', async () => {
    const { key } = await makeActor(rail);
    const query = '{ citizens(first: 1) { nodes { id } } }';
    expect((await whole(query, { key })).json.data.citizens.nodes).toHaveLength(1);
    expect(codeOf(await byHash(query))).toBe('unauthenticated');
  });

  it('changes nothing by GET', async () => {
    const query = 'mutation { registerCitizen(nin: "CM12345678HASH") { created } }';
    await whole(query);
    expect(codeOf(await byHash(query))).toBe('unauthenticated');
    expect((await byAddress(query)).status).toBe(405);
  });

  it('runs a mutation once under an Idempotency-Key, whether its hash is sent or its text, and books it before it answers', async () => {
    const { key, integrator } = await makeActor(rail);
    const headers = { 'idempotency-key': randomUUID(), 'x-request-id': randomUUID() };
    const query =
      'mutation Make($c: ID!, $l: [AssessmentLineInput!]!) { createAssessment(citizen: $c, lines: $l) { id } }';
    const variables = { c: await someCitizen(rail), l: await twoLines(rail) };
    expect(codeOf(await byHash(query, { key, headers, variables }))).toBe('PERSISTED_QUERY_NOT_FOUND');
    const first = await whole(query, { key, headers, variables });
    expect(first.json.data.createAssessment.id).toBeTruthy();
    const again = await byHash(query, { key, headers, variables });
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect(codeOf(await byHash(query, { key, headers, variables: { ...variables, c: 'another' } }))).toBe(
      'idempotency_mismatch',
    );
    expect(await rail.count(sql`select 1 from assessment where integrator = ${integrator}`)).toBe(1);
    // Not one that is written later: at the moment of the answer it is there.
    const id = randomUUID();
    await byHash(query, { key, headers: { 'x-request-id': id }, variables });
    expect(await rail.count(sql`select 1 from audit_log where request_id = ${id}`)).toBe(1);
  });
});

describe('extensions.cost', () => {
  it('says what an operation cost of what it may, as far as it was run', async () => {
    const granted = OPERATION_LIMITS.complexity;
    const cheap = await rail.ask('/graphql', { body: { query: '{ agency(id: "URA") { id name } }' } });
    const { asked } = cheap.json.extensions.cost;
    expect(asked).toBeGreaterThanOrEqual(3);
    expect(cheap.json.extensions.cost).toEqual({ asked, granted, remaining: granted - asked });
    const query =
      'query One { agency(id: "URA") { id name } } query Many($n: Int!) { agencies(first: $n) { nodes { services { nodes { agency { services { nodes { id } } } } } } } }';
    const one = await rail.ask('/graphql', { body: { query, operationName: 'One' } });
    expect(one.json.extensions.cost.asked).toBe(asked);
    const tooMuch = await rail.ask('/graphql', { body: { query, operationName: 'Many', variables: { n: 500 } } });
    expect(codeOf(tooMuch)).toBe('validation_failed');
    expect(tooMuch.json.extensions.cost).toMatchObject({ granted, remaining: 0 });
    expect(tooMuch.json.errors[0].message).toContain(`complexity: ${tooMuch.json.extensions.cost.asked},`);
    expect(
      (await rail.ask('/graphql', { body: { query: '{ citizens { nodes { id } } }' } })).json.extensions.cost.granted,
    ).toBe(granted);
    expect((await rail.ask('/graphql', { body: { query: '{ nothing }' } })).json.extensions).toBeUndefined();
  });

  it('follows the variables, and is worked out anew for none that it does not depend on', async () => {
    const query =
      'query ($n: Int!, $id: ID!, $c: String) { agencies(first: $n, after: $c) { nodes { id services(first: 2) { nodes { id } } } } agency(id: $id) { id } }';
    const costOf = async (variables: object): Promise<number> =>
      (await rail.ask('/graphql', { body: { query, variables } })).json.extensions.cost.asked;
    const three = await costOf({ n: 3, id: 'URA' });
    expect(await costOf({ n: 30, id: 'URA' })).toBeGreaterThan(5 * three);
    const field = schema.getQueryType()!.getFields()['agencies']!;
    const complexity = vi.fn(field.extensions['complexity'] as (args: unknown) => unknown);
    Object.assign(field.extensions, { complexity });
    expect(await costOf({ n: 3, id: 'KCCA' })).toBe(three);
    expect(await costOf({ n: 3, id: 'URA' })).toBe(three);
    expect(complexity).not.toHaveBeenCalled();
    expect(await costOf({ n: 4, id: 'URA' })).toBeGreaterThan(three);
    expect(complexity).toHaveBeenCalledTimes(1);
    Object.assign(field.extensions, { complexity: complexity.getMockImplementation() });
  });

  it('is worked out once an operation', async () => {
    const field = schema.getQueryType()!.getFields()['agencies']!;
    const complexity = vi.fn(field.extensions['complexity'] as (args: unknown) => unknown);
    Object.assign(field.extensions, { complexity });
    await rail.ask('/graphql', { body: { query: '{ agencies(first: 3) { nodes { id } } }' } });
    expect(complexity).toHaveBeenCalledTimes(1);
    Object.assign(field.extensions, { complexity: complexity.getMockImplementation() });
  });
});
