import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { LIVE } from '../harness/live.ts';
import { testRail } from '../harness/rail.ts';

const live = testRail({ ...LIVE, COMPRESSION: 'off' });
const schemaText = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');

describe('GET /graphql/schema.graphql', () => {
  it('is the schema as text, in live mode too', async () => {
    const answer = await live.ask('/graphql/schema.graphql');
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'application/graphql; charset=utf-8',
      'public, max-age=300',
    ]);
    expect(answer.text).toBe(schemaText);
    const asked = await live.ask('/graphql', { body: { query: '{ __schema { types { name } } }' } });
    expect(asked.json.errors[0].extensions.code).toBe('validation_failed');
  });

  it('is not sent again to whoever has it, and is compressed for whoever takes that, whatever COMPRESSION says', async () => {
    const etag = (await live.ask('/graphql/schema.graphql')).headers.get('etag')!;
    for (const known of [etag, `"other", ${etag}`, '*']) {
      const again = await live.ask('/graphql/schema.graphql', { headers: { 'if-none-match': known } });
      expect([again.status, again.text, again.headers.get('etag')], known).toEqual([304, '', etag]);
    }
    expect((await live.ask('/graphql/schema.graphql', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    for (const [accepted, encoding] of [
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', null],
      ['zstd', null],
    ] as const) {
      const { headers, text } = await live.ask('/graphql/schema.graphql', { headers: { 'accept-encoding': accepted } });
      expect([headers.get('content-encoding'), headers.get('vary')], accepted).toEqual([encoding, 'Accept-Encoding']);
      expect(text, accepted).toBe(schemaText);
    }
    const { headers } = await live.ask('/v1/services', { headers: { 'accept-encoding': 'gzip, br, zstd' } });
    expect([headers.get('content-encoding'), headers.get('etag')]).toEqual([null, expect.stringMatching(/^".+"$/)]);
    const head = await live.ask('/graphql/schema.graphql', { method: 'HEAD' });
    expect([head.status, head.text, Number(head.headers.get('content-length')) > 1_000]).toEqual([200, '', true]);
  });
});

describe('GET /graphql/operations', () => {
  it('describes every operation that is known by name, with its text and its variables', async () => {
    const answer = await live.ask('/graphql/operations');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    const operations: {
      name: string;
      kind: string;
      description: string;
      document: string;
      variables: { name: string; description: string }[];
    }[] = answer.data;
    const names = operations.map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
    expect(names).toContain('revenue-by-month');
    const schema = buildSchema(schemaText);
    for (const { name, kind, description, document, variables } of operations) {
      expect([name, kind]).toEqual([name, 'query']);
      expect(description, name).toMatch(/^[A-Z].{20,}\.$/);
      expect(document, name).not.toContain('"""');
      expect(validate(schema, parse(document)), name).toEqual([]);
      for (const variable of variables)
        expect(variable.description, `${name}: ${variable.name}`).toMatch(/^[A-Z].+\.$/s);
    }
    expect(operations.find(({ name }) => name === 'open-anomalies')?.variables).toContainEqual({
      name: 'first',
      type: 'Int!',
      default: 50,
      description: expect.stringContaining('1 to 1,000'),
    });
  });

  it('can be revalidated', async () => {
    const etag = (await live.ask('/graphql/operations')).headers.get('etag')!;
    expect((await live.ask('/graphql/operations', { headers: { 'if-none-match': etag } })).status).toBe(304);
  });
});
