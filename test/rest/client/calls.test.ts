import { describe, expect, it } from 'vitest';
import { RailError, createClient } from '../../../clients/typescript/src/index.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { relay } from '../../../src/accounts/webhooks/relay.ts';
import { createConfirmed, makeActor, someCitizen, twoLines } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

describe('a change', () => {
  it('happens once, though its first answer was lost', async () => {
    const { key } = await makeActor(rail);
    const keys = new Set<string>();
    const answers: Response[] = [];
    const client = createClient({
      baseUrl: rail.origin,
      key,
      fetch: async (url, init) => {
        keys.add((init.headers as Record<string, string>)['idempotency-key']!);
        const answer = await fetch(url, init);
        if (answers.push(answer) === 1) throw new TypeError('fetch failed');
        return answer;
      },
    });
    const body = { citizen: await someCitizen(rail), lines: await twoLines(rail) };
    const before = await rail.count(sql`select from assessment`);
    const { name } = await client.assessments.create(body);
    expect([keys.size, await rail.count(sql`select from assessment`)]).toEqual([1, before + 1]);
    expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    expect((await client.assessments.get(name)).lines.map(({ quantity }) => quantity)).toEqual([1, 1]);
  });
});

describe('a member of a change', () => {
  it('is cleared by null, also in its types', async () => {
    const { plaintext: key } = await rail.keyGranted({ managesAccount: true }, 'catalogue.read');
    const client = createClient({ baseUrl: rail.origin, key });
    const url = 'https://example.com/webhooks';
    expect((await client.patch('/v1/me', { body: { webhook_endpoint: url } })).webhook_endpoint).toBe(url);
    expect((await client.patch('/v1/me', { body: { webhook_endpoint: null } })).webhook_endpoint).toBeNull();
  });
});

describe('a secret', () => {
  it('is in the answer that creates it, also in its types', async () => {
    const { plaintext: key } = await rail.keyGranted({ managesAccount: true }, 'catalogue.read');
    const client = createClient({ baseUrl: rail.origin, key });
    const made = await client.post('/v1/me/webhook-endpoints', { body: { url: 'https://example.com/webhooks' } });
    const first: string = made.secret;
    const again = await client.post('/v1/me/webhook-endpoints/{name}:rotate-secret', { path: { name: made.name } });
    const second: string = again.secret;
    expect([first, second]).toEqual([expect.stringMatching(/^whsec_/), expect.stringMatching(/^whsec_/)]);
  });
});

describe('a refusal', () => {
  it('says its reason, its fields and its request', async () => {
    const { key } = await makeActor(rail);
    const client = createClient({ baseUrl: rail.origin, key });
    const wrong = { citizen: await someCitizen(rail), lines: [{ service: 'SVC-2026-999999' }] };
    const error = await client.assessments.create(wrong).catch((refused: unknown) => refused as RailError);
    expect(error).toBeInstanceOf(RailError);
    expect(error).toMatchObject({
      status: 422,
      code: 'validation_failed',
      reason: 'not_found',
      fields: [{ path: 'lines[0].service', code: 'not_found' }],
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      retryAfter: null,
    });
  });
});

describe('a list', () => {
  it('has all rows, page after page, and asks for no page before it is needed', async () => {
    const asked: string[] = [];
    const client = createClient({
      baseUrl: rail.origin,
      fetch: (url, init) => {
        asked.push(url);
        return fetch(url, init);
      },
    });
    const codes: string[] = [];
    for await (const { name } of client.mdas.list({ limit: 3 })) codes.push(name);
    const { data } = await rail.ask('/v1/mdas?limit=500');
    expect(codes).toEqual((data as { name: string }[]).map(({ name }) => name));
    expect(asked.length).toBe(Math.ceil(codes.length / 3));
    asked.length = 0;
    for await (const { mda } of client.list('/v1/services', { query: { limit: 2 } })) if (mda) break;
    expect(asked).toEqual([`${rail.origin}/v1/services?limit=2`]);
  });

  it('is filtered as the rail takes it', async () => {
    const { key } = await makeActor(rail);
    const client = createClient({ baseUrl: rail.origin, key });
    const body = { citizen: await someCitizen(rail), lines: await twoLines(rail) };
    await client.assessments.create({ ...body, metadata: { branch: 'Gulu & Lira' } });
    const { name } = await client.assessments.create({ ...body, metadata: { branch: 'Jinja', desk: '1' } });
    const found: string[] = [];
    const filter = { metadata: { branch: 'Jinja', desk: '1' } };
    for await (const row of client.assessments.list(filter)) found.push(row.name);
    expect(found).toEqual([name]);
  });

  it('is also CSV, as any answer is had as it is', async () => {
    const client = createClient({ baseUrl: rail.origin });
    const answer = await client.raw('GET', '/v1/mdas', { query: { limit: 1 }, headers: { accept: 'text/csv' } });
    expect((await answer.text()).split('\n')[0]).toMatch(/^name,mda_name,/);
  });
});

describe('polling for events', () => {
  it('has what happens while it waits, and goes on from its last event', async () => {
    const actor = await makeActor(rail);
    const client = createClient({ baseUrl: rail.origin, key: actor.key });
    const seen: string[] = [];
    const polled = (async () => {
      for await (const event of client.events.poll({ types: ['payment_intent.*'] })) {
        seen.push(event.data.object.assessment);
        expect(await client.events.get(event.id)).toMatchObject({ type: event.type, id: event.id });
        if (seen.length === 2) return;
      }
    })();
    const paid: string[] = [];
    for (const count of [1, 2]) {
      paid.push((await createConfirmed(rail, actor)).assessment);
      while ((await relay(rail.rail)) > 0);
      await expect.poll(() => seen.length).toBe(count);
    }
    await polled;
    expect(seen).toEqual(paid);
  });
});

describe('a named operation', () => {
  it('is answered as its types say, and refused where it is', async () => {
    await createConfirmed(rail, await makeActor(rail));
    const { plaintext: key } = await rail.key('oversight.read');
    const client = createClient({ baseUrl: rail.origin, key });
    const { oversight } = await client.operations.run('revenue-by-agency');
    expect(oversight.figures?.nodes.map(({ key: { agencyId } }) => agencyId)).toEqual(expect.arrayContaining(['URA']));
    expect(await client.operations.runOwn('revenue-by-agency')).toEqual({ oversight });
    const refusalOf = (asked: Promise<unknown>) =>
      asked.then(
        () => null,
        ({ code }: RailError) => code,
      );
    expect(await refusalOf(client.operations.runOwn('none-of-this-name'))).toBe('not_found');
    const variables = { fromDate: 'never' };
    expect(await refusalOf(client.operations.run('revenue-by-agency', { variables }))).toBe('validation_failed');
    const { key: plain } = await makeActor(rail);
    const other = createClient({ baseUrl: rail.origin, key: plain });
    expect(await refusalOf(other.operations.run('revenue-by-agency'))).toBe('forbidden');
  });
});
