import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { createConfirmed, makeActor } from '../harness/flow.ts';
import { testRail } from '../harness/rail.ts';
import { tally } from '../harness/chaos/tally.ts';
import { cookieOf } from '../harness/people/accounts.ts';
import { logIn, makeStaff } from '../harness/people/staff.ts';

const rail = testRail({ JOBS: 'on' });

interface StreamItem {
  readonly cursor: string;
  readonly item: { readonly type: string; readonly id: string; readonly kind?: string };
}

const isAnomaly = ({ item }: StreamItem) => item.type === 'OverseenAnomaly';

const QUERY =
  'subscription ($after: String) { oversight(after: $after) { cursor item { type: __typename ... on Node { id } ... on AnyPaymentEvent { agencyId } ... on AnyAnomaly { kind } } } }';

/** Reads a stream of server-sent events until it has so many, or is told to stop. */
async function listen(key: string | Record<string, string>, after: string | null) {
  const leaving = new AbortController();
  const response = await fetch(`${rail.origin}/graphql`, {
    method: 'POST',
    signal: leaving.signal,
    headers: {
      ...(typeof key === 'string' ? { authorization: `Bearer ${key}` } : key),
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ query: QUERY, variables: { after } }),
  });
  const received: StreamItem[] = [];
  const errors: { message: string; extensions: { code: string } }[] = [];
  const reading = (async () => {
    let buffer = '';
    try {
      for await (const chunk of response.body!) {
        buffer += Buffer.from(chunk).toString();
        for (let end = buffer.indexOf('\n\n'); end >= 0; end = buffer.indexOf('\n\n')) {
          const data = /^data: (.*)$/m.exec(buffer.slice(0, end))?.[1];
          buffer = buffer.slice(end + 2);
          if (!data) continue;
          const result = JSON.parse(data) as { data: { oversight: StreamItem } | null; errors?: typeof errors };
          if (result.errors) errors.push(...result.errors);
          else received.push(result.data!.oversight);
        }
      }
    } catch (error) {
      if (!leaving.signal.aborted) throw error;
    }
  })();
  return {
    response,
    received,
    errors,
    /** Resolves when the rail ends the stream. */
    ended: reading,
    stop: async () => {
      leaving.abort();
      await reading;
    },
  };
}

describe('the stream of oversight', () => {
  it('tells of payment events as they happen, in order, and is read on from a cursor without gap or duplicate', async () => {
    const { plaintext: key } = await rail.key('oversight.read');
    const actor = await makeActor(rail);
    const all = await listen(key, '0');
    expect(all.response.headers.get('content-type')).toContain('text/event-stream');
    const seen: StreamItem[] = [];
    let cursor = '0';
    for (let round = 0; round < 4; round++) {
      const one = await listen(key, cursor);
      await Promise.all(Array.from({ length: 5 }, () => createConfirmed(rail, actor)));
      // Left in the middle of it.
      await expect.poll(() => one.received.length).toBeGreaterThan(2);
      await one.stop();
      seen.push(...one.received);
      cursor = one.received.at(-1)!.cursor;
    }
    const last = await listen(key, cursor);
    await expect.poll(() => all.received.length).toBe(40);
    await expect.poll(() => seen.length + last.received.length).toBe(40);
    await Promise.all([all.stop(), last.stop()]);
    expect([...seen, ...last.received]).toEqual(all.received);
    expect(new Set(all.received.map(({ item }) => item.id)).size).toBe(40);
    expect(all.received.map((one) => Number(one.cursor))).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
  });

  it('begins with what happens from now on, and tells of anomalies too', async () => {
    const { plaintext: key } = await rail.key('oversight.read');
    const actor = await makeActor(rail);
    const one = await listen(key, null);
    const { assessment } = await createConfirmed(rail, actor);
    await actor.post(`/v1/assessments/${assessment}:cancel`);
    // The refund that it opens may be paid by then, and raise another.
    await expect.poll(() => one.received.filter(isAnomaly).map(({ item }) => item.kind)).toContain('reversal');
    await expect.poll(() => one.received.filter((item) => !isAnomaly(item)).length).toBe(4);
    await one.stop();
  });

  it('is for those with the scope, and refuses what is no cursor', async () => {
    const { plaintext: other } = await rail.key('citizens.read');
    const { plaintext: key } = await rail.key('oversight.read');
    const refused = async (credential: string, after: string | null = null) => {
      const response = await fetch(`${rail.origin}/graphql`, {
        method: 'POST',
        headers: {
          ...(credential && { authorization: `Bearer ${credential}` }),
          'content-type': 'application/json',
          accept: 'text/event-stream',
        },
        body: JSON.stringify({ query: QUERY, variables: { after } }),
      });
      return /"code":"(\w+)"/.exec(await response.text())?.[1];
    };
    expect(await refused('')).toBe('unauthenticated');
    expect(await refused(other)).toBe('forbidden');
    expect(await refused(key, 'x')).toBe('validation_failed');
  });

  it('ends with an error when the credential that opened it no longer holds, and tells nothing more', async () => {
    const operator = await makeStaff(rail, 'admin');
    const watcher = await makeStaff(rail, 'oversight');
    const [revoked, suspended, expired] = [
      await rail.key('oversight.read'),
      await rail.key('oversight.read'),
      await rail.key('oversight.read'),
    ];
    const streams = await Promise.all(
      [revoked.plaintext, suspended.plaintext, expired.plaintext, { cookie: watcher.cookie }].map((credential) =>
        listen(credential, null),
      ),
    );
    const whole = await listen((await rail.key('oversight.read')).plaintext, null);
    await operator.post(`/v1/ops/keys/${revoked.name}:revoke`, { reason: 'Lost' });
    await operator.post(`/v1/ops/integrators/${suspended.integrator}:suspend`, { reason: 'Under review' });
    await rail.rows(sql`update api_key set expires_at = now() - interval '1 second' where name = ${expired.name}`);
    await watcher.post('/v1/work/logout');
    // What earlier tests made may come until here.
    const [end] = await rail.rows<{ position: number }>(sql`
      select coalesce(max(position), 0)::int as position from oversight_stream`);
    const { intent } = await createConfirmed(rail, await makeActor(rail));
    const events = await rail.rows<{ id: string }>(sql`select name as id from payment_event where intent = ${intent}`);
    // What happened before may come late.
    await expect
      .poll(() => whole.received.map(({ item: { id } }) => id))
      .toEqual(expect.arrayContaining(events.map(({ id }) => id)));
    for (const stream of streams) {
      await stream.ended;
      expect(stream.received.filter(({ cursor }) => Number(cursor) > end!.position)).toEqual([]);
      expect(stream.errors).toMatchObject([{ extensions: { code: 'unauthenticated' } }]);
      expect(stream.errors[0]!.message).toContain('stream');
    }
    await whole.stop();
  });

  it('ends within seconds of a revocation even where nothing happens', async () => {
    const operator = await makeStaff(rail, 'admin');
    const { plaintext, name } = await rail.key('oversight.read');
    // It asks to be told, or else to look after some seconds, which do not have to pass here.
    const { streamSignal } = rail.rail;
    const told = streamSignal.next.bind(streamSignal);
    const next = vi.spyOn(streamSignal, 'next').mockImplementation(() => told(10));
    onTestFinished(() => next.mockRestore());
    const stream = await listen(plaintext, null);
    await operator.post(`/v1/ops/keys/${name}:revoke`, { reason: 'Lost' });
    await stream.ended;
    expect(stream.errors).toMatchObject([{ extensions: { code: 'unauthenticated' } }]);
    expect(new Set(next.mock.calls.flat())).toEqual(new Set([5_000]));
  });

  it('429 for a sixth at a time of one key; a place is free again as soon as one has ended', async () => {
    const { plaintext: key } = await rail.key('oversight.read');
    const five = await Promise.all(Array.from({ length: 5 }, () => listen(key, null)));
    expect(five.map(({ response }) => response.status)).toEqual([200, 200, 200, 200, 200]);
    const sixth = await listen(key, null);
    await sixth.ended;
    expect(sixth.response.status).toBe(429);
    expect(Number(sixth.response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(sixth.response.headers.get('ratelimit-policy')).toBe('"streams";q=5;qu="concurrent-requests"');
    expect(sixth.errors).toMatchObject([{ extensions: { code: 'rate_limited' } }]);
    const other = await listen((await rail.key('oversight.read')).plaintext, null);
    expect(other.response.status).toBe(200);
    await five.pop()!.stop();
    await expect
      .poll(async () => {
        const next = await listen(key, null);
        const { status } = next.response;
        await next.stop();
        return status;
      })
      .toBe(200);
    await Promise.all([...five, other].map((stream) => stream.stop()));
  });

  it('counts them by person, however many sessions they have', async () => {
    const { email, cookie } = await makeStaff(rail, 'oversight');
    const second = cookieOf(await logIn(rail, email))!;
    const held = await Promise.all(
      Array.from({ length: 5 }, (_, nth) => listen({ cookie: nth % 2 ? second : cookie }, null)),
    );
    const sixth = await listen({ cookie: second }, null);
    expect([...held, sixth].map(({ response }) => response.status)).toEqual([200, 200, 200, 200, 200, 429]);
    await Promise.all(held.map((stream) => stream.stop()));
  });

  it('503 for one more than a process holds, however many keys they are of; a place is free again as soon as one has ended', async () => {
    const keys = await Promise.all(
      Array.from({ length: 11 }, async () => (await rail.key('oversight.read')).plaintext),
    );
    const held = await Promise.all(
      keys.slice(0, 10).flatMap((key) => Array.from({ length: 5 }, () => listen(key, null))),
    );
    expect(tally(held.map(({ response }) => response.status))).toEqual({ 200: 50 });
    const one = async () => {
      const stream = await listen(keys[10]!, null);
      if (stream.response.status === 200) await stream.stop();
      else await stream.ended;
      return stream;
    };
    const refused = await one();
    expect(refused.response.status).toBe(503);
    expect(Number(refused.response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.errors).toMatchObject([{ extensions: { code: 'unavailable' } }]);
    await held.pop()!.stop();
    await expect.poll(async () => (await one()).response.status).toBe(200);
    await Promise.all(held.map((stream) => stream.stop()));
  });
});
