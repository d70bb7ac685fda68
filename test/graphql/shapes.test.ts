import { describe, expect, it } from 'vitest';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

const ISSUE = 'mutation ($scopes: [Scope!]!) { issueKey(label: "x", scopes: $scopes) { plaintext } }';

describe('bounds that the schema declares', () => {
  it('are kept over REST under the names of its parameters, all of what is wrong at once', async () => {
    const { plaintext: key } = await rail.key('citizens.read');
    expect(await rail.ask('/v1/citizens?limit=201&start=-1', { key })).toMatchObject({
      status: 422,
      json: {
        error: {
          details: [
            { path: 'start', message: 'must not be negative' },
            { path: 'limit', message: 'must be between 1 and 200' },
          ],
        },
      },
    });
  });

  it('are kept over GraphQL under the names of its arguments, for those alone who may ask', async () => {
    const { plaintext: key } = await rail.key('citizens.read');
    const body = { query: '{ citizens(first: 0, offset: -1) { nodes { id } } }' };
    const { json } = await rail.ask('/graphql', { key, body });
    expect(json.errors[0].extensions).toMatchObject({
      code: 'validation_failed',
      details: [{ path: 'first' }, { path: 'offset' }],
    });
    expect((await rail.ask('/graphql', { body })).json.errors[0].extensions.code).toBe('unauthenticated');
  });

  it('measure lists before anything in them', async () => {
    const { plaintext: key } = await rail.key('citizens.read');
    const scopes = Array.from({ length: 10_000 }, () => 1);
    const answer = await rail.ask('/v1/me/keys', { key, body: { label: 'x', scopes } });
    expect(answer.json.error.details).toEqual([{ path: 'scopes', message: 'must have 1 to 20 items' }]);
    const texts = scopes.map(() => 'citizens_read');
    const { json } = await rail.ask('/graphql', { key, body: { query: ISSUE, variables: { scopes: texts } } });
    expect(json.errors[0].extensions.details).toEqual([{ path: 'scopes', message: 'must have at most 20 items' }]);
  });

  it('count characters, without the blanks around them', async () => {
    const { plaintext: key } = await rail.key('citizens.read');
    const issue = (label: string) => rail.ask('/v1/me/keys', { key, body: { label, scopes: ['citizens.read'] } });
    expect((await issue(` ${'𐐷'.repeat(100)} `)).status).toBe(200);
    expect((await issue('𐐷'.repeat(101))).json.error.details).toEqual([
      { path: 'label', message: 'must be at most 100 characters' },
    ]);
    expect((await issue('   ')).json.error.details).toEqual([{ path: 'label', message: 'must not be empty' }]);
  });

  it('name twenty mistakes, and count the others', async () => {
    const { plaintext: key } = await rail.key('assessments.write');
    const lines = Array.from({ length: 30 }, () => ({ service: 'SVC-2026-000001', quantity: 10_001 }));
    const { error } = (await rail.ask('/v1/assessments', { key, body: { citizen: 'CITIZEN-2026-000001', lines } }))
      .json;
    expect(error.details).toHaveLength(20);
    expect(error.details[3]).toEqual({ path: 'lines[3].quantity', message: 'must be between 1 and 10000' });
    expect(error.message).toMatch(/; and 10 more$/);
  });
});
