import { describe, expect, it } from 'vitest';
import { makeActor } from '../../harness/flow.ts';
import { type Answer, testRail } from '../../harness/rail.ts';
import { makeStaff } from '../../harness/people/staff.ts';

const rail = testRail();

const MOST_DETAILS = 20;

/** A refusal is short however long what it refuses is. */
function expectShort(answer: Answer): void {
  expect(answer.status).toBe(422);
  expect(answer.text.length).toBeLessThan(10_000);
}

describe('422, in few words:', () => {
  it('a list that is longer than it may be, before its elements are looked at', async () => {
    const actor = await makeActor(rail);
    const clerk = await makeStaff(rail, 'clerk');
    const admin = await makeStaff(rail, 'admin');
    const cases: [{ post(path: string, body: unknown): Promise<Answer> }, string, object, string, string][] = [
      [actor, '/v1/me/keys', { label: 'x', scopes: Array<number>(120_000).fill(1) }, 'scopes', '1 to 20'],
      [
        admin,
        '/v1/ops/keys',
        { label: 'x', integrator: 'X', scopes: Array<string>(12_000).fill('citizens.read') },
        'scopes',
        '1 to 20',
      ],
      [actor, '/v1/assessments', { citizen: 'x', lines: Array<number>(120_000).fill(0) }, 'lines', '1 to 100'],
      [
        actor,
        '/v1/payment-intents',
        { assessment: 'x', channel: 'card', splits: Array.from({ length: 60_000 }, () => ({})) },
        'splits',
        'at most 100',
      ],
      [
        clerk,
        '/v1/counter-shifts/X:close',
        { cash_counted: 1, denominations: Array.from({ length: 60_000 }, () => ({})) },
        'denominations',
        'at most 50',
      ],
    ];
    for (const [who, path, body, list, most] of cases) {
      const answer = await who.post(path, body);
      expectShort(answer);
      expect(answer.json.error.details, path).toEqual([{ path: list, message: `must have ${most} items` }]);
    }
    const { plaintext } = await rail.key('oversight.read');
    const groups = await rail.ask(`/v1/oversight/revenue?group_by=${Array<string>(2_000).fill('mda').join(',')}`, {
      key: plaintext,
    });
    expect(groups.json.error.details).toEqual([{ path: 'group_by', message: 'must have at most 20 items' }]);
  });

  it('skipping more rows of a list than a page is worth, with what to ask for instead', async () => {
    const actor = await makeActor(rail);
    expect((await actor.ask('/v1/assessments?start=10000')).data).toEqual([]);
    const answer = await actor.ask('/v1/assessments?start=10001');
    expectShort(answer);
    expect(answer.json.error.details).toEqual([
      { path: 'start', message: expect.stringMatching(/^must be at most 10,000; .* by its name in `after`$/) },
    ]);
  });

  it('many mistakes at once: the first twenty, and how many more', async () => {
    const actor = await makeActor(rail);
    const lines = await actor.post('/v1/assessments', {
      citizen: 'x',
      lines: Array.from({ length: 100 }, () => ({ service: 1.5, quantity: 'x' })),
    });
    expectShort(lines);
    expect(lines.json.error.details).toHaveLength(MOST_DETAILS);
    expect(lines.json.error.message).toMatch(/; and 180 more$/);
    const unknown = await actor.post('/v1/assessments', {
      citizen: 'x',
      lines: Array.from({ length: 100 }, () => ({ service: 'SVC-2026-999999' })),
    });
    expectShort(unknown);
    expect(unknown.json.error.details).toHaveLength(MOST_DETAILS);
    const members = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`m${index}`, 1]));
    const profile = await actor.ask('/v1/me', { method: 'PATCH', body: members });
    expectShort(profile);
    expect(profile.json.error.message).toMatch(/; and 19980 more$/);
    expectShort(await actor.ask('/v1/me', { method: 'PATCH', body: { ['x'.repeat(200_000)]: 1 } }));
  });

  it('a text that is longer than it may be', async () => {
    const actor = await makeActor(rail);
    const long = 'x'.repeat(5_000);
    for (const path of [`/v1/citizens?q=${long}`, `/v1/services?q=${long}`, `/v1/me/logs?endpoint=${long}`]) {
      const answer = await actor.ask(path);
      expectShort(answer);
      expect(answer.json.error.details[0].message, path.slice(0, 20)).toBe('must be at most 200 characters');
    }
    const named = await actor.post('/v1/payment-intents', { assessment: 'x'.repeat(100_000), channel: 'card' });
    expect(named.json.error.details).toEqual([{ path: 'assessment', message: 'must be at most 255 characters' }]);
    expectShort(await actor.post('/v1/me/keys', { label: 'x', scopes: ['x'.repeat(200_000)] }));
  });
});

describe('GraphQL', () => {
  const gql = async (query: string, variables: object, key?: string) => {
    const answer = await rail.ask('/graphql', { key: key ?? null, body: { query, variables } });
    return { answer, error: answer.json.errors[0] };
  };

  it('holds lists and texts in variables to the same bounds, in the same words', async () => {
    const { key } = await makeActor(rail);
    const issue = 'mutation ($scopes: [Scope!]!) { issueKey(label: "x", scopes: $scopes) { plaintext } }';
    for (const scopes of [Array<number>(120_000).fill(1), Array<string>(21).fill('citizens.read')]) {
      const { answer, error } = await gql(issue, { scopes }, key);
      expect(answer.text.length).toBeLessThan(2_000);
      expect(error.extensions.code).toBe('validation_failed');
      expect(error.message).toBe('scopes: must have at most 20 items');
    }
    const { error: tooMany } = await gql(
      `mutation { issueKey(label: "x", scopes: [${'citizens_read '.repeat(21)}]) { plaintext } }`,
      {},
      key,
    );
    expect(tooMany.extensions.details).toEqual([{ path: 'scopes', message: 'must have 1 to 20 items' }]);
    const { error: long } = await gql('query ($q: String) { services(q: $q) { nodes { id } } }', {
      q: 'x'.repeat(200_000),
    });
    expect(long.extensions.details).toEqual([{ path: 'q', message: 'must be at most 200 characters' }]);
  });

  it('says what is wrong with a variable as REST does of a member', async () => {
    const { key } = await makeActor(rail);
    const create =
      'mutation ($lines: [AssessmentLineInput!]!) { createAssessment(citizen: "x", lines: $lines) { id } }';
    expect((await gql(create, { lines: [{ service: 'x', quantity: 'y' }] }, key)).error.extensions.details).toEqual([
      { path: 'lines[0].quantity', message: 'must be a whole number' },
    ]);
    expect((await gql(create, { lines: [{ service: 'x', rate: 1 }] }, key)).error.message).toBe(
      'lines[0].rate: is not known',
    );
    expect((await gql(create, {}, key)).error.message).toBe('lines: is required');
    const list = 'query ($status: AssessmentStatus) { assessments(status: $status) { nodes { id } } }';
    expect((await gql(list, { status: 'Drafft' }, key)).error.message).toBe(
      'status: must be one of Assessed, Cancelled, Draft, Paid',
    );
    expect(
      (await gql('query ($limit: Int!) { agencies(first: $limit) { nodes { id } } }', { limit: 1.5 })).error.message,
    ).toBe('limit: must be a whole number');
  });

  it('asks for the scope before it looks at how long a list is', async () => {
    const { plaintext } = await rail.key('oversight.read');
    const { error } = await gql(
      'mutation ($lines: [AssessmentLineInput!]!) { createAssessment(citizen: "x", lines: $lines) { id } }',
      { lines: [] },
      plaintext,
    );
    expect(error.extensions.code).toBe('forbidden');
    const { error: long } = await gql(
      `mutation { createAssessment(citizen: "${'x'.repeat(300)}", lines: []) { id } }`,
      {},
      plaintext,
    );
    expect(long.extensions.code).toBe('forbidden');
  });

  it('refuses what is nested deep, in variables and in the document', async () => {
    const { key } = await makeActor(rail);
    const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const body = `{"query":"query ($q: String) { services(q: $q) { nodes { id } } }","variables":{"q":${deep(40_000)}}}`;
    const variables = await rail.ask('/graphql', { key, body });
    expect(variables.json.errors[0].extensions.code).toBe('validation_failed');
    const literal = await gql(`{ services(q: ${deep(1_900)}) { nodes { id } } }`, {}, key);
    expect(literal.error.extensions.code).toBe('validation_failed');
    const selections = await gql(`${'{ mdas '.repeat(1_900)}${'}'.repeat(1_900)}`, {}, key);
    expect(selections.error.extensions.code).toBe('validation_failed');
    expect(rail.logged.filter((line) => line.includes('"request_id":"none"'))).toEqual([]);
  });
});
