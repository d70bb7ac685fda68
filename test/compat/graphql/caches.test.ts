import { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { describe, expect, it } from 'vitest';
import { testRail } from '../../harness/rail.ts';
import { CANCEL, ONE, PAGE, type Page, countingFetch, idsOf, makeOwner } from './pages.ts';

const rail = testRail();

async function openApollo() {
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
    const { client, ids } = await openApollo();
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
    const { client, asked, ids } = await openApollo();
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
    const { client, asked, ids } = await openApollo();
    const options = { query: gql(ONE), variables: { id: ids[0] } };
    await client.query<One>(options);
    await client.query<One>(options);
    expect(asked()).toBe(1);
    const { data } = await client.watchQuery<One>(options).refetch();
    expect([data?.assessment.status, asked()]).toEqual(['Assessed', 2]);
  });
});

async function openUrql() {
  const { key, ids } = await makeOwner(rail);
  const { fetch, asked } = countingFetch();
  const client = new Client({
    url: `${rail.origin}/graphql`,
    exchanges: [cacheExchange({ resolvers: { Query: { assessments: relayPagination() } } }), fetchExchange],
    fetchOptions: { headers: { authorization: `Bearer ${key}` } },
    preferGetMethod: false,
    fetch,
  });
  const page = async (variables: object): Promise<Page> => {
    const { data, error } = await client.query<Page>(PAGE, variables).toPromise();
    if (!data) throw error!;
    return data;
  };
  return { client, page, asked, ids };
}

describe('urql', () => {
  it('pages through a connection, forward and backward, by its own rules for Relay', async () => {
    const { page, ids } = await openUrql();
    let { assessments } = await page({ first: 2 });
    while (assessments.pageInfo.hasNextPage)
      ({ assessments } = await page({ first: 2, after: assessments.pageInfo.endCursor }));
    expect(idsOf({ assessments })).toEqual(ids);
    const other = await openUrql();
    ({ assessments } = await other.page({ last: 2 }));
    expect(idsOf({ assessments })).toEqual(other.ids.slice(-2));
    while (assessments.pageInfo.hasPreviousPage)
      ({ assessments } = await other.page({ last: 2, before: assessments.pageInfo.startCursor }));
    expect(idsOf({ assessments })).toEqual(other.ids);
  });

  it('caches records by their ID: what a mutation answers changes them wherever they are shown', async () => {
    const { client, page, asked, ids } = await openUrql();
    await page({ first: 5 });
    await client.mutation(CANCEL, { id: ids[2] }).toPromise();
    const before = asked();
    const { assessments } = await page({ first: 5 });
    expect(asked()).toBe(before);
    expect(assessments.edges.map(({ node }) => node.status === 'Cancelled')).toEqual([
      false,
      false,
      true,
      false,
      false,
    ]);
  });

  it('refetches', async () => {
    const { client, asked, ids } = await openUrql();
    const ask = (requestPolicy: 'cache-first' | 'network-only') =>
      client.query(ONE, { id: ids[0] }, { requestPolicy }).toPromise();
    await ask('cache-first');
    await ask('cache-first');
    expect(asked()).toBe(1);
    expect((await ask('network-only')).data).toMatchObject({ assessment: { id: ids[0], status: 'Assessed' } });
    expect(asked()).toBe(2);
  });
});
