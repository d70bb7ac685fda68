import { auditServer } from 'graphql-http';
import { buildClientSchema, getIntrospectionQuery } from 'graphql';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { issueKey } from '../../../src/accounts/integrators/issue-key.ts';
import {
  TWO_LINES_TOTAL,
  createConfirmed,
  makeActor,
  createPending,
  someCitizen,
  twoLines,
} from '../../harness/flow.ts';
import { LIVE } from '../../harness/live.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const live = testRail(LIVE);

function gql(
  query: string,
  variables: object = {},
  { key, headers = {}, on = rail }: { key?: string; headers?: Readonly<Record<string, string>>; on?: typeof rail } = {},
) {
  return on.ask('/graphql', { key: key ?? null, body: { query, variables }, headers });
}
/** Reads an answer with Node.js itself, which refuses one with two lengths. */
async function readStrictly(
  method: string,
  accept: string,
  query: string,
): Promise<IncomingMessage & { status: number }> {
  const isGet = method === 'GET';
  const path = isGet ? `/graphql?query=${encodeURIComponent(query)}` : '/graphql';
  const request = httpRequest(rail.origin + path, { method, headers: { accept, 'content-type': 'application/json' } });
  request.end(isGet ? undefined : JSON.stringify({ query }));
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  await readText(answer);
  return Object.assign(answer, { status: answer.statusCode! });
}

const codeOf = (answer: { json: { errors?: { extensions: { code: string } }[] } }) =>
  answer.json.errors?.[0]?.extensions.code;

describe('/graphql', () => {
  it('takes a citizen to a proven payment, with the same verbs as REST', async () => {
    const { key } = await makeActor(rail);
    const run = async (query: string, variables: object) => {
      const answer = await gql(query, variables, { key });
      expect(answer.json.errors).toBeUndefined();
      return Object.values(answer.json.data)[0] as never;
    };
    const { citizen } = (await run('mutation ($nin: String!) { registerCitizen(nin: $nin) { citizen { id } } }', {
      nin: 'CM12345678GQLS',
    })) as {
      citizen: { id: string };
    };
    const { id, totalAmount } = (await run(
      'mutation ($c: ID!, $l: [AssessmentLineInput!]!) { createAssessment(citizen: $c, lines: $l) { id totalAmount lines { amount } } }',
      { c: citizen.id, l: await twoLines(rail) },
    )) as { id: string; totalAmount: number };
    expect(totalAmount).toBe(TWO_LINES_TOTAL);
    await run('mutation ($n: ID!) { assessAssessment(id: $n) { status } }', { n: id });
    const intent = (await run(
      'mutation ($a: ID!) { createPaymentIntent(assessment: $a, channel: card) { id splits { agencyId amount } } }',
      {
        a: id,
      },
    )) as { id: string };
    await run('mutation ($n: ID!) { initiatePayment(id: $n) { intent { status } adapterResponse } }', {
      n: intent.id,
    });
    expect(
      await run(
        'mutation ($n: ID!) { confirmPayment(id: $n) { assessment { status lines { amount } } events { amount } } }',
        { n: intent.id },
      ),
    ).toEqual({
      assessment: { status: 'Paid', lines: [{ amount: 450_000 }, { amount: 135_000 }] },
      events: [{ amount: 450_000 }, { amount: 135_000 }],
    });
  });

  it('follows relations', async () => {
    const actor = await makeActor(rail);
    await createConfirmed(rail, actor);
    const answer = await gql(
      '{ assessments(first: 5) { nodes { id lines { serviceId amount } } } agencies(first: 2) { nodes { services { nodes { code agency { id } } } } } }',
      {},
      { key: actor.key },
    );
    expect(answer.json.data.assessments.nodes[0].lines).toHaveLength(2);
    const [service] = answer.json.data.agencies.nodes[0].services.nodes;
    expect(service.agency.id).toBe(service.code.split('-')[0]);
  });

  it('refuses without a key, and without the scope; 401 for a key that does not hold', async () => {
    expect(codeOf(await gql('{ citizens { nodes { id } } }'))).toBe('unauthenticated');
    const { plaintext } = await rail.key('citizens.read');
    const denied = await gql('mutation { registerCitizen(nin: "x") { created } }', {}, { key: plaintext });
    expect(codeOf(denied)).toBe('forbidden');
    expect(denied.json.errors[0].message).toContain('citizens.write');
    expect((await gql('{ agencies { nodes { id } } }', {}, { key: 'rail_sandbox_x' })).status).toBe(401);
    expect((await gql('{ agencies(first: 1) { nodes { id } } }')).json.data.agencies.nodes).toHaveLength(1);
  });

  it('shows the intents of an assessment only to who may see intents', async () => {
    const actor = await makeActor(rail);
    const { assessment, intent } = await createPending(rail, actor);
    const query = 'query ($n: ID!) { assessment(id: $n) { intents { nodes { id } } } }';
    expect((await gql(query, { n: assessment }, { key: actor.key })).json.data.assessment.intents.nodes).toEqual([
      { id: intent },
    ]);
    const reader = await issueKey(rail.rail, { integrator: actor.integrator }, ['assessments.read']);
    expect(codeOf(await gql(query, { n: assessment }, { key: reader.plaintext }))).toBe('forbidden');
  });

  it("does not show somebody else's", async () => {
    const [owner, stranger] = [await makeActor(rail), await makeActor(rail)];
    const { assessment, intent } = await createPending(rail, owner);
    expect(
      codeOf(await gql('query ($n: ID!) { assessment(id: $n) { id } }', { n: assessment }, { key: stranger.key })),
    ).toBe('not_found');
    expect(
      codeOf(
        await gql(
          'query ($n: ID!) { paymentTrace(id: $n) { timeline { kind } } }',
          { n: intent },
          { key: stranger.key },
        ),
      ),
    ).toBe('not_found');
  });

  it('gives errors a code and details, and nothing of the inside', async () => {
    const { key } = await makeActor(rail);
    const invalid = await gql('{ services(first: 0) { nodes { id } } }');
    expect(invalid.json.errors[0].extensions).toEqual({
      code: 'validation_failed',
      details: [{ path: 'first', message: 'must be between 1 and 500' }],
    });
    expect(codeOf(await gql('{ nothing }'))).toBe('validation_failed');
    expect(codeOf(await gql('{ agencies(first: "x") { nodes { id } } }'))).toBe('validation_failed');
    await rail.rows(sql`alter table citizen rename to citizen_away`);
    try {
      const broken = await gql('{ citizens { nodes { id } } }', {}, { key });
      expect(codeOf(broken)).toBe('internal_error');
      expect(broken.text).not.toMatch(/citizen_away|relation|stack/);
      const id = broken.headers.get('x-request-id')!;
      expect(rail.logged.some((line) => line.includes(id) && line.includes('relation'))).toBe(true);
      expect((await rail.ask('/v1/citizens', { key })).json).toEqual({
        error: {
          code: 'internal_error',
          message: 'The request failed because of an internal error; quote the request id when you report it',
        },
      });
    } finally {
      await rail.rows(sql`alter table citizen_away rename to citizen`);
    }
  });

  it.each<[string, string, (rows: string) => string]>([
    [
      'intents',
      '',
      (rows) =>
        `{ assessments(status: Paid, first: 10) { nodes { id lines { amount agency { name } } intents${rows} { nodes { status splits { amount agency { name } } } } } } }`,
    ],
    [
      'intents',
      '',
      (rows) =>
        `{ assessments(first: 90) { nodes { ...Paid } } } fragment Paid on Assessment { lines { amount } intents${rows} { nodes { id status amount channel } } }`,
    ],
    [
      'agencies',
      '(first: 200)',
      (rows) => `{ agencies${rows} { nodes { services(first: 40) { nodes { id code serviceName } } } } }`,
    ],
    [
      'agencies',
      '(last: $n)',
      (rows) =>
        `query ($n: Int = 200) { agency(id: "URA") { services(first: $n) { nodes { id } } } agencies${rows} { nodes { services(first: 40) { nodes { id code serviceName } } } } }`,
    ],
  ])('says how many %s%s may be asked for, where they cost too much', async (list, asked, queryWith) => {
    const { key } = await makeActor(rail);
    const refused = async (rows: string) => (await gql(queryWith(rows), {}, { key })).json.errors?.[0];
    const { message, extensions } = await refused(asked);
    expect(extensions.code).toBe('validation_failed');
    const [, named, rows] = /Give `(\w+)` `first: (\d+)` or less$/.exec(message)!;
    expect(named).toBe(list);
    expect(await refused(`(first: ${rows})`)).toBeUndefined();
    expect(await refused(`(first: ${Number(rows) + 1})`)).toMatchObject({ extensions: { code: 'validation_failed' } });
  });

  it('bounds depth, complexity, aliases, tokens and the body; takes one operation a request', async () => {
    const deep = (n: number): string => (n === 0 ? 'id' : `services { nodes { agency { ${deep(n - 1)} } } }`);
    expect(codeOf(await gql(`{ agencies(first: 1) { nodes { ${deep(5)} } } }`))).toBeDefined();
    expect(
      codeOf(
        await gql('{ agencies(first: 500) { nodes { services { nodes { agency { services { nodes { id } } } } } } } }'),
      ),
    ).toBeDefined();
    expect(
      codeOf(await gql(`{ ${Array.from({ length: 31 }, (_, i) => `a${i}: agency(id: "URA") { id }`).join(' ')} }`)),
    ).toBe('validation_failed');
    for (const many of [`{ agencies { nodes { ${'id '.repeat(4_000)} } } }`, `{ ${'a '.repeat(120_000)}}`]) {
      const { json } = await gql(many);
      expect(json.errors).toMatchObject([
        { message: expect.stringContaining('4000 tokens'), extensions: { code: 'validation_failed' } },
      ]);
    }
    // Below the limit of tokens, repeated fields are allowed.
    expect((await gql(`{ agency(id: "URA") { ${'id '.repeat(300)} } }`)).json.data.agency.id).toBe('URA');
    expect((await gql(`{ agencies { nodes { id } } } # ${'x'.repeat(256 * 1024)}`)).status).toBe(413);
    expect(
      (
        await rail.ask('/graphql', {
          body: [{ query: '{ agencies { nodes { id } } }' }, { query: '{ agencies { nodes { id } } }' }],
        })
      ).status,
    ).toBe(400);
  });

  it('answers no media type with two lengths, and refuses what it cannot answer before it runs anything', async () => {
    const { key } = await makeActor(rail);
    const shows = ['*/*', 'application/json', 'application/graphql-response+json', 'text/event-stream'];
    const parts = ['multipart/mixed', 'Multipart/Mixed;deferSpec=20220824', 'multipart/*'];
    const query = 'query { agencies(first: 1) { nodes { id } } }';
    for (const accept of [...shows, ...parts, ...parts.map((one) => `${one}, application/json`)])
      for (const method of ['GET', 'POST']) {
        const { status, headers } = await readStrictly(method, accept, query);
        expect([accept, method, status]).toEqual([accept, method, parts.includes(accept) ? 406 : 200]);
        const lengths = ['content-length', 'transfer-encoding'].filter((name) => headers[name] !== undefined);
        expect([accept, method, lengths]).toEqual([accept, method, [expect.any(String)]]);
      }
    const nin = `CM${String(Date.now()).slice(-8)}ABCD`;
    const mutation = `mutation { registerCitizen(nin: "${nin}") { citizen { id } } }`;
    const count = () => rail.count(sql`select 1 from citizen where nin = ${nin}`);
    for (const accept of [...parts, 'image/png', 'text/html'])
      expect((await gql(mutation, {}, { key, headers: { accept } })).status).toBe(406);
    expect(await count()).toBe(0);
    expect((await gql(mutation, {}, { key })).status).toBe(200);
    expect(await count()).toBe(1);
  });

  it('400 malformed_request where an address says what is no JSON, which is no fault of the rail', async () => {
    const { length } = rail.logged;
    for (const wrong of ['variables=%25', 'extensions=x', 'variables={', 'extensions=%7B%22a']) {
      const headers = { accept: 'application/json' };
      const answer = await rail.ask(`/graphql?query=${encodeURIComponent('{ __typename }')}&${wrong}`, { headers });
      expect([wrong, answer.status, codeOf(answer)]).toEqual([wrong, 400, 'malformed_request']);
    }
    expect(rail.logged.slice(length).filter((line) => line.includes('a request failed'))).toEqual([]);
  });

  it('refuses text that cannot be stored, in variables and in the document', async () => {
    const { key } = await makeActor(rail);
    for (const nin of ['A\0', '\ud800'])
      expect(codeOf(await gql('query ($n: String!) { citizenLookup(nin: $n) { source } }', { n: nin }, { key }))).toBe(
        'validation_failed',
      );
    expect(codeOf(await gql('{ citizenLookup(nin: "a\\u0000b") { source } }', {}, { key }))).toBe('validation_failed');
  });

  it('cannot be made to change something by a page of another origin', async () => {
    const { key } = await makeActor(rail);
    const query = 'mutation { registerCitizen(nin: "CM12345678CSRF") { created } }';
    for (const [type, body] of [
      ['application/x-www-form-urlencoded', new URLSearchParams({ query }).toString()],
      ['text/plain', JSON.stringify({ query })],
      ['multipart/form-data; boundary=x', '--x--'],
      ['application/graphql', query],
    ] as const) {
      expect((await rail.ask('/graphql', { key, body, headers: { 'content-type': type } })).status, type).toBe(415);
    }
    expect(
      (await rail.ask(`/graphql?query=${encodeURIComponent(query)}`, { key, headers: { accept: 'application/json' } }))
        .status,
    ).toBe(405);
    const cors = await rail.ask('/graphql', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(cors.headers.get('access-control-allow-origin')).toBeNull();
    expect(await rail.count(sql`select 1 from citizen where nin = 'CM12345678CSRF'`)).toBe(0);
  });

  it('runs a mutation once under an Idempotency-Key', async () => {
    const { key, integrator } = await makeActor(rail);
    const headers = { 'idempotency-key': randomUUID() };
    const query = 'mutation ($c: ID!, $l: [AssessmentLineInput!]!) { createAssessment(citizen: $c, lines: $l) { id } }';
    const variables = { c: await someCitizen(rail), l: await twoLines(rail) };
    const answers = await Promise.all(Array.from({ length: 10 }, () => gql(query, variables, { key, headers })));
    const done = answers.filter(({ json }) => json.data?.createAssessment);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    for (const answer of answers)
      if (!answer.json.data?.createAssessment) expect(codeOf(answer)).toBe('idempotency_in_progress');
    const again = await gql(query, variables, { key, headers });
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([done[0]!.text, 'true']);
    expect(codeOf(await gql(query, { ...variables, x: 1 }, { key, headers }))).toBe('idempotency_mismatch');
    const reader = await issueKey(rail.rail, { integrator }, ['assessments.read']);
    expect(codeOf(await gql(query, variables, { key: reader.plaintext, headers }))).toBe('forbidden');
    expect(await rail.count(sql`select 1 from assessment where integrator = ${integrator}`)).toBe(1);
    const two = await gql(
      `mutation { a: assessAssessment(id: "x") { id } b: assessAssessment(id: "y") { id } }`,
      {},
      { key, headers: { 'idempotency-key': randomUUID() } },
    );
    expect(codeOf(two)).toBe('validation_failed');
  });

  it('shows neither GraphiQL nor introspection in live mode', async () => {
    expect((await live.ask('/graphql', { headers: { accept: 'text/html' } })).text).not.toContain('GraphiQL');
    expect((await gql('{ __schema { types { name } } }', {}, { on: live })).json.errors.length).toBeGreaterThan(0);
    expect((await gql('{ mdsa { name } }', {}, { on: live })).text).not.toContain('Did you mean');
    const listing = 'query ($status: AgencyStatus) { agencies(status: $status) { nodes { id } } }';
    const misspelt = await gql(listing, { status: 'Activ' }, { on: live });
    expect(misspelt.json.errors).toHaveLength(1);
    expect(misspelt.text).not.toContain('Did you mean');
    expect(
      (await gql('{ agencies(first: 1) { nodes { id } } }', {}, { on: live })).json.data.agencies.nodes,
    ).toHaveLength(1);
  });

  it('answers introspection in live mode to keys that may read oversight, also if others were refused before', async () => {
    const key = async (tier: string, scope: 'oversight.read' | 'catalogue.read') => {
      const { plaintext, integrator } = await live.key(scope);
      await live.rows(sql`update integrator set tier = ${tier}::integrator_tier where code = ${integrator}`);
      return plaintext;
    };
    const query = getIntrospectionQuery();
    const asked = async (of: string | undefined) => (await gql(query, {}, { on: live, ...(of && { key: of }) })).json;
    const auditor = await key('live', 'oversight.read');
    const others = [undefined, await key('live', 'catalogue.read'), await key('sandbox', 'oversight.read')];
    for (const other of others) expect((await asked(other)).errors.length).toBeGreaterThan(0);
    const { data, errors } = await asked(auditor);
    expect(errors).toBeUndefined();
    expect(buildClientSchema(data).getType('Oversight')).toBeDefined();
    for (const other of others) expect((await asked(other)).data).toBeUndefined();
    expect((await gql('{ agenceis { id } }', {}, { on: live, key: auditor })).text).toContain('Did you mean');
  });

  it('passes the server audits of GraphQL over HTTP without error or warning', async () => {
    const results = await auditServer({ url: `${rail.origin}/graphql`, fetchFn: fetch });
    expect(
      results
        .filter(({ status }) => status === 'error' || status === 'warn')
        .map(({ id, name, status }) => ({ id, name, status })),
    ).toEqual([]);
    expect(results.length).toBeGreaterThan(50);
  });
});

describe('live mode', () => {
  it('401: an unsigned callback', async () => {
    expect(await live.ask('/v1/webhooks/card', { body: { event_id: 'x' } })).toMatchObject({
      status: 401,
      code: 'invalid_signature',
    });
  });

  it('issues live keys, and opens no channel without a live protocol', async () => {
    const actor = await makeActor(live);
    expect(actor.key).toMatch(/^rail_live_/);
    const { status } = await actor.post('/v1/citizens/register', { nin: 'CM12345678LIVE' });
    expect(status).toBe(502);
    const assessment = (
      await actor.post('/v1/assessments', { citizen: await someCitizen(live), lines: await twoLines(live) })
    ).data.name;
    await actor.post(`/v1/assessments/${assessment}:assess`);
    expect((await actor.post('/v1/payment-intents', { assessment, channel: 'card' })).json.error.details[0].path).toBe(
      'channel',
    );
    expect(await actor.post('/v1/payment-intents', { assessment, channel: 'cash' })).toMatchObject({
      status: 403,
      code: 'forbidden',
    });
  });
});
