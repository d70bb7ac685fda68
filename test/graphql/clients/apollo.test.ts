import { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import { describe, expect, it } from 'vitest';
import { testRail } from '../../harness/rail.ts';
import { CANCEL, ONE, PAGE, type Page, countingFetch, idsOf, makeOwner } from './pages.ts';

const rail = testRail();

async function open() {
  const { key, ids } = await makeOwner(rail);
  const { fetch, asked } = countingFetch();
  const client = new ApolloClient({
    link: new HttpLink({ uri: `${rail.origin}/graphql`, headers: { authorization: `Bearer ${key}` }, fetch }),
    cache: new InMemoryCache({ typePolicies: { Query: { fields: { assessments: relayStylePagination() } } } }),
  });
  return { client, asked, ids };
}

interface One {
  readonly assessment: { readonly status: string };
}

describe('Apollo Client', () => {
  it('pages through a connection by its own rules for Relay, into one list', async () => {
    const { client, ids } = await open();
    const options = { query: gql(PAGE), variables: { first: 2 } };
    await client.query<Page>(options);
    const watched = client.watchQuery<Page>(options);
    const shown = () => client.readQuery<Page>(options)!;
    let pages = 1;
    for (; shown().assessments.pageInfo.hasNextPage; pages++)
      await watched.fetchMore({ variables: { after: shown().assessments.pageInfo.endCursor } });
    expect([pages, shown().assessments.totalCount]).toEqual([3, 5]);
    expect(idsOf(shown())).toEqual(ids);
  });

  it('caches records by their ID: what a mutation answers changes them wherever they are shown', async () => {
    const { client, asked, ids } = await open();
    await client.query<Page>({ query: gql(PAGE), variables: { first: 5 } });
    await client.mutate({ mutation: gql(CANCEL), variables: { id: ids[2] } });
    const before = asked();
    const { data } = await client.query<Page>({ query: gql(PAGE), variables: { first: 5 } });
    expect(asked()).toBe(before);
    expect(data!.assessments.edges.map(({ node }) => node.status)).toEqual([
      'Assessed',
      'Assessed',
      'Cancelled',
      'Assessed',
      'Assessed',
    ]);
  });

  it('refetches', async () => {
    const { client, asked, ids } = await open();
    const options = { query: gql(ONE), variables: { id: ids[0] } };
    await client.query<One>(options);
    await client.query<One>(options);
    expect(asked()).toBe(1);
    const { data } = await client.watchQuery<One>(options).refetch();
    expect([data?.assessment.status, asked()]).toEqual(['Assessed', 2]);
  });
});
