import { createClient } from 'graphql-sse';
import { describe, expect, it } from 'vitest';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail({ JOBS: 'on' });

interface Happening {
  readonly oversight: { readonly cursor: string; readonly item: { readonly id: string } };
}

const QUERY = 'subscription ($after: String) { oversight(after: $after) { cursor item { ... on Node { id } } } }';

/** Reads so many events of the stream; once it is open, something may happen. */
async function read(key: string, after: string | null, many: number, happen: () => Promise<unknown> = async () => {}) {
  const opened = Promise.withResolvers<void>();
  const client = createClient({
    url: `${rail.origin}/graphql`,
    headers: { authorization: `Bearer ${key}` },
    fetchFn: async (...request: Parameters<typeof fetch>) => {
      const response = await fetch(...request);
      opened.resolve();
      return response;
    },
  });
  const seen: { cursor: string; id: string }[] = [];
  const reading = (async () => {
    for await (const { data, errors } of client.iterate<Happening>({ query: QUERY, variables: { after } })) {
      if (errors) throw errors[0]!;
      const { cursor, item } = data!.oversight;
      seen.push({ cursor, id: item.id });
      if (seen.length === many) return;
    }
  })();
  await opened.promise;
  await happen();
  await reading;
  client.dispose();
  return seen;
}

describe("graphql-sse's client", () => {
  it('reads the stream and resumes it after a cursor, without a gap and nothing twice', async () => {
    const actor = await makeActor(rail);
    const { plaintext: key } = await rail.key('oversight.read');
    const first = await read(key, null, 2, async () => {
      await createConfirmed(rail, actor);
      await createConfirmed(rail, actor);
    });
    const rest = await read(key, first[0]!.cursor, 3);
    expect(rest[0]).toEqual(first[1]);
    expect(new Set([first[0]!, ...rest].map(({ id }) => id)).size).toBe(4);
  });
});
