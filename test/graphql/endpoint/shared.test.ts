import { describe, expect, it, vi } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { type Answer, testRail } from '../../harness/rail.ts';

const rail = testRail();

const NET = '{ oversight { asOf figures { nodes { key { currency } revenue { net } } } } }';

const get = (query: string, key: string, headers: Readonly<Record<string, string>> = {}) =>
  rail.ask(`/graphql?query=${encodeURIComponent(query)}`, { key, headers });

/** Counts computations by the query for the moment of the figures, which each of them makes once. */
async function counted<Result>(run: () => Promise<Result>): Promise<{ result: Result; computed: number }> {
  const asked = vi.spyOn(rail.rail.oversight, 'row');
  try {
    const result = await run();
    return { result, computed: asked.mock.calls.filter(([{ text }]) => text.includes('pg_is_in_recovery')).length };
  } finally {
    asked.mockRestore();
  }
}

const wire = ({ status, headers, text }: Answer) => [
  status,
  text,
  ...['etag', 'as-of'].map((name) => headers.get(name)),
];

describe('a dashboard with 20 viewers', () => {
  it.each([
    ['an operation of its own', (key: string) => get(NET, key)],
    ['a named operation', (key: string) => rail.ask('/graphql?operation=revenue-by-agency', { key })],
  ])('costs what one viewer costs, by %s', async (_by, ask) => {
    const actor = await makeActor(rail);
    await createConfirmed(rail, actor);
    const { plaintext: key } = await rail.key('oversight.read');
    const { result, computed } = await counted(async () => [
      ...(await Promise.all(Array.from({ length: 10 }, () => ask(key)))),
      ...(await Promise.all(Array.from({ length: 10 }, () => ask(key)))),
    ]);
    expect(computed).toBe(1);
    const [first] = result;
    expect(first!.json.errors).toBeUndefined();
    expect(first!.headers.get('cache-control')).toBe('private, max-age=15');
    for (const answer of result) {
      expect(wire(answer)).toEqual(wire(first!));
      expect(answer.headers.get('cache-control')).toMatch(/^private, max-age=1[0-5]$/);
    }
    expect(first!.headers.get('vary')).toContain('Authorization');
  });

  it('is answered 304 where nothing changed, and compressed', async () => {
    const { plaintext: key } = await rail.key('oversight.read');
    const first = await get(NET, key, { 'accept-encoding': 'identity' });
    const known = { 'if-none-match': first.headers.get('etag')!, 'accept-encoding': 'identity' };
    rail.advance(5 / 3_600);
    // A `fetch` that sends a tag itself asks for no answer that is known, unless it says otherwise.
    const again = await get(NET, key, { ...known, 'cache-control': 'max-age=0' });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers.get('cache-control')).toMatch(/^private, max-age=(9|10)$/);
    const long = `{ oversight { ${Array.from({ length: 25 }, (_, nth) => `moment${nth}: span { fromDate toDate timeZone }`).join(' ')} } }`;
    expect((await get(long, key, { 'accept-encoding': 'br' })).headers.get('content-encoding')).toBe('br');
  });

  it('sees a change after 15 seconds, and at once where it asks for that, or by POST', async () => {
    const actor = await makeActor(rail);
    const { plaintext: key } = await rail.key('oversight.read');
    const net = async (headers = {}) => JSON.stringify((await get(NET, key, headers)).json.data.oversight.figures);
    const before = await net();
    await createConfirmed(rail, actor);
    expect(await net()).toBe(before);
    const posted = await rail.ask('/graphql', { key, body: { query: NET } });
    expect(posted.headers.get('cache-control')).toBe('no-store');
    const after = JSON.stringify(posted.json.data.oversight.figures);
    expect(after).not.toBe(before);
    rail.advance(15 / 3_600);
    expect(await net()).toBe(after);
    await createConfirmed(rail, actor);
    expect(await net({ 'cache-control': 'no-cache' })).not.toBe(after);
  });
});

describe('an answer that is remembered', () => {
  it('is for nobody else, nor for the same key once it holds less or nothing', async () => {
    const [one, other] = [await rail.key('oversight.read'), await rail.key('oversight.read')];
    await get(NET, one.plaintext);
    expect((await counted(() => get(NET, other.plaintext))).computed).toBe(1);
    await rail.rows(sql`update api_key set scopes = '{catalogue.read}' where name = ${one.name}`);
    const less = await get(NET, one.plaintext);
    expect([less.json.errors[0].extensions.code, less.headers.get('cache-control')]).toEqual(['forbidden', 'no-store']);
    await rail.rows(
      sql`update api_key set status = 'revoked', revoked_at = now(), revoked_reason = 'lost' where name = ${other.name}`,
    );
    expect((await get(NET, other.plaintext)).status).toBe(401);
  });

  it('is of oversight alone, and without errors', async () => {
    const { plaintext: key } = await rail.key('oversight.read', 'catalogue.read');
    const both = '{ oversight { span { fromDate } } agencies(first: 1) { nodes { id } } }';
    const refused =
      '{ oversight { span { fromDate } figures(slice: { agency: ["NOPE"] }) { nodes { key { currency } } } } }';
    for (const query of [both, refused]) {
      const answers = [await get(query, key), await get(query, key)];
      expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(['no-store', 'no-store']);
    }
    expect((await counted(async () => [await get(refused, key), await get(refused, key)])).computed).toBe(2);
  });
});
