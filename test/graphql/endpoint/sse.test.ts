import { createClient } from 'graphql-sse';
import { once } from 'node:events';
import http, { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventSource } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
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

/** Has an `EventSource` read the stream of a key through a proxy, which adds the key and can end the answer. */
async function openEventSource(key: string, after: string | null) {
  const line = { began: 0, away: async () => {}, cut: () => {} };
  const pass = async (asked: http.IncomingMessage, answer: http.ServerResponse) => {
    if (line.began > 0) await line.away();
    const headers = { ...asked.headers, authorization: `Bearer ${key}` };
    const passed = http.request(rail.origin + asked.url, { headers }, (response) => {
      answer.writeHead(response.statusCode!, response.headers);
      response.once('data', () => (line.began += 1)).pipe(answer);
    });
    // One that is cut before it is answered, as the test ends.
    passed.on('error', () => answer.destroy());
    passed.end();
    line.cut = () => answer.end(() => passed.destroy());
  };
  const proxy = createServer((asked, answer) => void pass(asked, answer));
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const { port } = proxy.address() as AddressInfo;
  const variables = JSON.stringify({ after });
  const query = `query=${encodeURIComponent(QUERY)}&variables=${encodeURIComponent(variables)}`;
  const source = new EventSource(`http://127.0.0.1:${port}/graphql?${query}`, { node: { reconnectionTime: 1 } });
  const events: { id: string; cursor: string }[] = [];
  source.addEventListener('next', (event) => {
    const { data, lastEventId } = event as MessageEvent<string>;
    events.push({ id: lastEventId, cursor: (JSON.parse(data) as { data: Happening }).data.oversight.cursor });
  });
  onTestFinished(() => {
    source.close();
    line.cut();
    proxy.close();
  });
  return { line, events };
}

describe('EventSource', () => {
  it('goes on where it was when it reconnects, also where its address names another `after`', async () => {
    const actor = await makeActor(rail);
    const { plaintext: key } = await rail.key('oversight.read');
    await createConfirmed(rail, actor);
    const { line, events } = await openEventSource(key, '0');
    await expect.poll(() => events.length).toBeGreaterThanOrEqual(2);
    const before = events.length;
    line.away = () => createConfirmed(rail, actor).then(() => {});
    line.cut();
    await expect.poll(() => events.length).toBeGreaterThanOrEqual(before + 2);
    expect(events).toEqual(events.map((_, nth) => ({ id: String(nth + 1), cursor: String(nth + 1) })));
  });

  it('misses nothing where it reconnects before anything happened', async () => {
    const actor = await makeActor(rail);
    const { plaintext: key } = await rail.key('oversight.read');
    const { line, events } = await openEventSource(key, null);
    await expect.poll(() => line.began).toBe(1);
    // On a slow machine it may be away more than once.
    let paid = 0;
    line.away = async () => {
      await createConfirmed(rail, actor);
      paid++;
    };
    line.cut();
    // Payments of an earlier test may arrive too.
    await expect.poll(() => paid > 0 && events.length >= 2 * paid).toBe(true);
    const cursors = events.map(({ cursor }) => Number(cursor));
    expect(cursors).toEqual(cursors.map((_, nth) => cursors[0]! + nth));
  });

  it('422 for a `Last-Event-ID` that is no cursor', async () => {
    const { plaintext: key } = await rail.key('oversight.read');
    const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream', 'last-event-id': 'x' };
    const answer = await fetch(`${rail.origin}/graphql?query=${encodeURIComponent(QUERY)}`, { headers });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('Last-Event-ID');
  });
});
