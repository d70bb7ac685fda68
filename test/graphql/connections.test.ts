import pg from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { type Actor, makeActor, someCitizen, twoLines } from '../harness/flow.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

interface Page {
  readonly nodes: readonly { readonly id: string; readonly totalAmount: number }[];
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount: number;
}

const FIELDS =
  '{ nodes { id totalAmount } edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount }';

async function ask<Data>(actor: Actor, query: string): Promise<Data> {
  const { json } = await rail.ask('/graphql', { key: actor.key, body: { query } });
  expect(json.errors).toBeUndefined();
  return json.data as Data;
}

async function assessments(actor: Actor, args: string): Promise<Page> {
  return (await ask<{ assessments: Page }>(actor, `{ assessments(${args}) ${FIELDS} }`)).assessments;
}

/** An actor with seven assessments, the oldest first, of amounts that differ. */
async function makeSeven(): Promise<{ actor: Actor; names: string[] }> {
  const actor = await makeActor(rail);
  const names: string[] = [];
  const [line] = await twoLines(rail);
  const citizen = await someCitizen(rail);
  for (let nth = 0; nth < 7; nth++) {
    const lines = [{ ...line, quantity: ((nth * 3) % 7) + 1 }];
    const { data } = await actor.post('/v1/assessments', { citizen, lines });
    await rail.rows(
      sql`update assessment set created_at = ${new Date(Date.UTC(2026, 0, 1 + nth))} where name = ${data.name}`,
    );
    names.push(data.name);
  }
  return { actor, names };
}

describe('a connection', () => {
  let actor: Actor;
  let names: string[];
  let newest: string[];
  beforeAll(async () => {
    ({ actor, names } = await makeSeven());
    newest = names.toReversed();
  });

  it('is paged through forwards, and says where its pages stand', async () => {
    const first = await assessments(actor, 'first: 3');
    expect(first.nodes.map(({ id }) => id)).toEqual(newest.slice(0, 3));
    expect(first.edges.map(({ node }) => node.id)).toEqual(newest.slice(0, 3));
    expect(first.pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: first.edges[0]!.cursor,
      endCursor: first.edges[2]!.cursor,
    });
    const rest = await assessments(actor, `first: 4, after: "${first.pageInfo.endCursor}"`);
    expect(rest.nodes.map(({ id }) => id)).toEqual(newest.slice(3));
    expect(rest.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  it('is paged through backwards in the same order', async () => {
    const last = await assessments(actor, 'last: 3');
    expect(last.nodes.map(({ id }) => id)).toEqual(newest.slice(4));
    expect(last.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const before = await assessments(actor, `last: 10, before: "${last.pageInfo.startCursor}"`);
    expect(before.nodes.map(({ id }) => id)).toEqual(newest.slice(0, 4));
    expect(before.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const between = await assessments(actor, `first: 10, after: "${newest[0]}", before: "${newest[5]}"`);
    expect(between.nodes.map(({ id }) => id)).toEqual(newest.slice(1, 5));
  });

  it('takes another order, and keeps to it over pages', async () => {
    const byAmount = await assessments(actor, 'first: 7, orderBy: amount_desc');
    const amounts = byAmount.nodes.map(({ totalAmount }) => totalAmount);
    expect(amounts).toEqual(amounts.toSorted((one, other) => other - one));
    const walked: string[] = [];
    for (let after: string | null = null, more = true; more;) {
      const page: Page = await assessments(
        actor,
        `first: 2, orderBy: amount_desc${after ? `, after: "${after}"` : ''}`,
      );
      walked.push(...page.nodes.map(({ id }) => id));
      ({ endCursor: after, hasNextPage: more } = page.pageInfo);
    }
    expect(walked).toEqual(byAmount.nodes.map(({ id }) => id));
    expect((await assessments(actor, 'last: 7, orderBy: created_asc')).nodes.map(({ id }) => id)).toEqual(names);
  });

  it('counts its rows where that is selected, and only there', async () => {
    expect((await assessments(actor, 'first: 1')).totalCount).toBe(7);
    expect((await assessments(actor, `first: 1, fromDate: "2026-01-06", toDate: "2026-01-07"`)).totalCount).toBe(2);
    const query = vi.spyOn(pg.Client.prototype, 'query');
    await ask(actor, '{ assessments(first: 1) { nodes { id } } }');
    const statements = query.mock.calls.map(([statement]) => (statement as unknown as { text?: string }).text ?? '');
    query.mockRestore();
    expect(statements.filter((text) => text.includes('from assessment r'))).toHaveLength(1);
  });

  it('counts up to 10,000, and says that there are more', async () => {
    await rail.rows(sql`
      insert into citizen (name, nin, full_name, search_text, verified, created_at, updated_at)
      select 'CITIZEN-1999-' || lpad(n::text, 6, '0'), 'CM1999' || n, 'Counted ' || n, 'counted ' || n, false, now(), now()
      from generate_series(1, 10001) n`);
    const counted = async (q: string) =>
      (
        await ask<{ citizens: { totalCount: number; totalCountIsLowerBound: boolean } }>(
          actor,
          `{ citizens(q: "${q}") { totalCount totalCountIsLowerBound } }`,
        )
      ).citizens;
    expect(await counted('counted')).toEqual({ totalCount: 10_000, totalCountIsLowerBound: true });
    expect(await counted('counted 100')).toEqual({ totalCount: 13, totalCountIsLowerBound: false });
  });

  it('leads REST to its next page', async () => {
    const response = await rail.ask('/v1/assessments?limit=3&start=2', { key: actor.key });
    expect(response.data.map(({ name }: { name: string }) => name)).toEqual(newest.slice(2, 5));
    expect(response.headers.get('link')).toBe(`<${rail.origin}/v1/assessments?limit=3&after=${newest[4]}>; rel="next"`);
  });
});
