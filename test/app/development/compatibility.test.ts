import { describe, expect, it } from 'vitest';
import { unannounced } from '../../../src/app/development/compatibility/announced.ts';
import { type Change, compare } from '../../../src/app/development/compatibility/compare.ts';
import { type Contract, baseline, contractOf } from '../../../src/app/development/compatibility/documents.ts';

/** A few endpoints and one webhook of the released contract. Comparing all of it takes longer. */
const released = fewOf(baseline());

// oxlint-disable-next-line typescript/no-explicit-any
function described(change: (document: any) => void): Contract {
  const document: unknown = JSON.parse(released.openapi);
  change(document);
  return { ...released, openapi: JSON.stringify(document) };
}

function schemaWith(part: string, instead: string): Contract {
  expect(released.graphql).toContain(part);
  return { ...released, graphql: released.graphql.replace(part, instead) };
}

const breaking = (changes: readonly Change[]) => [
  ...new Set(changes.filter((change) => change.breaking).map(({ coordinate }) => coordinate)),
];

function fewOf({ graphql, openapi }: Contract): Contract {
  const document = JSON.parse(openapi) as { paths: Record<string, unknown>; webhooks: Record<string, unknown> };
  const paths = Object.fromEntries(['/v1/mdas', '/v1/me'].map((path) => [path, document.paths[path]]));
  const webhooks = Object.fromEntries(Object.entries(document.webhooks).slice(0, 1));
  return { graphql, openapi: JSON.stringify({ ...document, paths, webhooks }) };
}

const FIELD = '  minor: String!\n';
const withField = schemaWith('type Query {\n', `type Query {\n${FIELD}`);

describe('npm run check:compatibility', () => {
  it('finds no difference between a contract and itself', async () => {
    expect(await compare(released, released)).toEqual([]);
  });

  it('leaves out what describes in words, and no member that is called so', () => {
    const { graphql, openapi } = contractOf('"Words." type Query { "More." description: String }', {
      description: 'Words.',
      paths: {
        '/x': { get: { summary: 'Words', examples: {}, properties: { description: { type: 'string', title: 'T' } } } },
      },
    });
    expect(graphql).toBe('type Query {\n  description: String\n}');
    expect(JSON.parse(openapi)).toEqual({
      paths: { '/x': { get: { properties: { description: { type: 'string' } } } } },
    });
  });

  it('takes an addition to the schema, and stops at its removal until that is announced under this version', async () => {
    expect(breaking(await compare(released, withField))).toEqual([]);
    const removal = await compare(withField, released);
    expect(breaking(removal)).toEqual(['Query.minor']);
    const log = (version: string, line: string) =>
      `# Changelog\n\n## ${version}\n\n### Breaking\n\n${line}\n\n### Other\n\n- \`Mutation\`\n\n## 1.0.0\n`;
    expect(unannounced(removal, log('2.0.0', '- `Query.minor` is gone: nobody asked for it.'), '2.0.0')).toEqual([]);
    expect(unannounced(removal, log('2.0.0', '- `Query` has less.'), '2.0.0')).toEqual([]);
    expect(unannounced(removal, log('2.0.0', '- `*.minor` is gone everywhere.'), '2.0.0')).toEqual([]);
    for (const silent of [
      log('2.0.0', ''),
      log('2.0.0', '- `Query.min`'),
      log('1.9.0', '- `Query.minor`'),
      '## 2.0.0\n\n- `Query.minor`\n',
    ]) {
      expect(breaking(unannounced(removal, silent, '2.0.0'))).toEqual(['Query.minor']);
    }
  });

  it('stops at another type, an argument that is now required, and a value that is gone', async () => {
    const another = schemaWith('type Query {\n', 'type Query {\n  minor: Int!\n');
    expect(breaking(await compare(withField, another))).toEqual(['Query.minor']);
    const required = schemaWith('type Query {\n', 'type Query {\n  minor(of: ID!): String!\n');
    expect(breaking(await compare(withField, required))).toEqual(['Query.minor.of']);
    const value = schemaWith('enum Channel {\n', 'enum Channel {\n  barter\n');
    expect(breaking(await compare(value, released))).toEqual(['Channel.barter']);
    expect(breaking(await compare(released, value))).toEqual([]);
  });

  it('stops where REST answers or takes less than it did, and names the endpoint', async () => {
    const mdas = (document: { paths: Record<string, Record<string, unknown>> }) =>
      document.paths['/v1/mdas']!['get'] as Operation;
    const cases: [string, Contract, string[]][] = [
      ['a path', described((document) => delete document.paths['/v1/mdas']), ['GET /v1/mdas']],
      ['a method', described((document) => delete document.paths['/v1/me'].patch), ['PATCH /v1/me']],
      ['a status', described((document) => delete mdas(document).responses['200']), ['GET /v1/mdas']],
      ['a parameter', described((document) => void mdas(document).parameters.pop()), ['GET /v1/mdas']],
      ['a required parameter', described((document) => void mdas(document).parameters.push(NEEDED)), ['GET /v1/mdas']],
    ];
    for (const [what, after, expected] of cases)
      expect(breaking(await compare(released, after)), what).toEqual(expected);
    const member = described((document) => delete document.components.schemas.Mda.properties.mda_name);
    expect(breaking(await compare(released, member))).toContain('GET /v1/mdas');
    const type = described((document) => void (document.components.schemas.Mda.properties.mda_name.type = 'integer'));
    expect(breaking(await compare(released, type))).toContain('GET /v1/mdas');
    const hook = described((document) => delete document.webhooks[Object.keys(document.webhooks)[0]!]);
    expect(breaking(await compare(released, hook))).toHaveLength(1);
  });

  it('takes null that a request may have and an answer no longer has, and not the other way round', async () => {
    const withTypes = (asked: string | readonly string[], answered: string | readonly string[]) =>
      described(({ paths, components }) => {
        const { content } = paths['/v1/me'].patch.requestBody;
        content['application/json'].schema.properties.webhook_endpoint.type = asked;
        components.schemas.Mda.properties.mda_name.type = answered;
      });
    const [strict, loose] = ['string', ['string', 'null']] as const;
    expect(breaking(await compare(withTypes(strict, loose), withTypes(loose, strict)))).toEqual([]);
    expect(breaking(await compare(withTypes(loose, strict), withTypes(strict, loose)))).toEqual([
      'GET /v1/mdas',
      'PATCH /v1/me',
    ]);
  });

  it('takes an answer that lists no values any more, and not one that has fewer', async () => {
    const withCodes = (change: (code: { enum?: string[] }) => void) =>
      described(({ components }) => change(components.schemas.Error.properties.error.properties.code));
    const open = withCodes((code) => delete code.enum);
    const fewer = withCodes((code) => code.enum!.pop());
    expect(breaking(await compare(released, open))).toEqual([]);
    expect(breaking(await compare(released, fewer))).toContain('GET /v1/mdas');
  });

  it('takes a new endpoint, a new member, and other words', async () => {
    const more = described((document) => {
      document.paths['/v1/other'] = { get: document.paths['/v1/mdas'].get };
      document.components.schemas.Mda.properties.other = { type: 'string' };
      document.components.schemas.Mda.description = 'Said in another way.';
      document.paths['/v1/mdas'].get.summary = 'Said in another way';
    });
    const changes = await compare(released, more);
    expect(breaking(changes)).toEqual([]);
    expect(changes.map(({ coordinate }) => coordinate)).toContain('GET /v1/other');
  });
});

interface Operation {
  readonly responses: Record<string, unknown>;
  readonly parameters: unknown[];
}

const NEEDED = { name: 'needed', in: 'query', required: true, schema: { type: 'string' } };
