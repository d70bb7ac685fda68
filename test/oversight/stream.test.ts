import { describe, expect, it } from 'vitest';
import { confirmed, newActor } from '../harness/flow.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail({ JOBS: 'on' });

interface Told {
  readonly cursor: string;
  readonly event: { readonly name: string; readonly mda: string } | null;
  readonly anomaly: { readonly name: string; readonly kind: string } | null;
}

const QUERY = 'subscription ($after: ID) { oversight(after: $after) { cursor event { name mda } anomaly { name kind } } }';

/** Reads a stream of server-sent events until it has so many, or is told to stop. */
async function listen(key: string, after: string | null) {
  const leaving = new AbortController();
  const response = await fetch(`${rail.origin}/graphql`, {
    method: 'POST',
    signal: leaving.signal,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: QUERY, variables: { after } }),
  });
  const told: Told[] = [];
  const reading = (async () => {
    let buffer = '';
    try {
      for await (const chunk of response.body!) {
        buffer += Buffer.from(chunk).toString();
        for (let end = buffer.indexOf('\n\n'); end >= 0; end = buffer.indexOf('\n\n')) {
          const data = /^data: (.*)$/m.exec(buffer.slice(0, end))?.[1];
          buffer = buffer.slice(end + 2);
          if (data) told.push(JSON.parse(data).data.oversight as Told);
        }
      }
    } catch (error) {
      if (!leaving.signal.aborted) throw error;
    }
  })();
  return {
    response,
    told,
    stop: async () => {
      leaving.abort();
      await reading;
    },
  };
}

describe('the stream of oversight', () => {
  it('tells of payment events as they happen, in order, and is read on from a cursor without gap or duplicate', async () => {
    const { plaintext: key } = await rail.key('oversight.read');
    const actor = await newActor(rail);
    const all = await listen(key, '0');
    expect(all.response.headers.get('content-type')).toContain('text/event-stream');
    const seen: Told[] = [];
    let cursor = '0';
    for (let round = 0; round < 4; round++) {
      const one = await listen(key, cursor);
      await Promise.all(Array.from({ length: 5 }, () => confirmed(rail, actor)));
      // Left in the middle of it.
      await expect.poll(() => one.told.length).toBeGreaterThan(2);
      await one.stop();
      seen.push(...one.told);
      cursor = one.told.at(-1)!.cursor;
    }
    const last = await listen(key, cursor);
    await expect.poll(() => all.told.length).toBe(40);
    await expect.poll(() => seen.length + last.told.length).toBe(40);
    await Promise.all([all.stop(), last.stop()]);
    expect([...seen, ...last.told]).toEqual(all.told);
    expect(new Set(all.told.map(({ event }) => event!.name)).size).toBe(40);
    expect(all.told.map((one) => Number(one.cursor))).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
  });

  it('begins with what happens from now on, and tells of anomalies too', async () => {
    const { plaintext: key } = await rail.key('oversight.read');
    const actor = await newActor(rail);
    const one = await listen(key, null);
    const { assessment } = await confirmed(rail, actor);
    await actor.post(`/v1/assessments/${assessment}:cancel`);
    await expect.poll(() => one.told.filter(({ anomaly }) => anomaly).map(({ anomaly }) => anomaly!.kind)).toEqual(['reversal']);
    await one.stop();
    expect(one.told.filter(({ event }) => event)).toHaveLength(4);
  });

  it('is for those with the scope, and refuses what is no cursor', async () => {
    const { plaintext: other } = await rail.key('citizens.read');
    const { plaintext: key } = await rail.key('oversight.read');
    const refused = async (credential: string, after: string | null = null) => {
      const response = await fetch(`${rail.origin}/graphql`, {
        method: 'POST',
        headers: { ...(credential && { authorization: `Bearer ${credential}` }), 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ query: QUERY, variables: { after } }),
      });
      return /"code":"(\w+)"/.exec(await response.text())?.[1];
    };
    expect(await refused('')).toBe('unauthenticated');
    expect(await refused(other)).toBe('forbidden');
    expect(await refused(key, 'x')).toBe('validation_failed');
  });
});
