import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATION_LIMITS } from '../../../src/graphql/builder.ts';
import { type Actor, createConfirmed, draft, makeActor } from '../../harness/flow.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

interface Failure {
  readonly message: string;
  readonly path?: readonly string[];
  readonly extensions: { readonly code: string; readonly details?: readonly { readonly path: string }[] };
}

async function ask(who: Pick<Actor, 'ask'>, query: string, variables: object = {}) {
  const { json } = await who.ask('/graphql', { body: { query, variables } });
  return json as {
    // oxlint-disable-next-line typescript/no-explicit-any -- a member that is not there fails the test
    readonly data: any;
    readonly errors?: readonly Failure[];
    readonly extensions?: { readonly cost: { readonly asked: number; readonly granted: number } };
  };
}

let mine: Actor;
let theirs: Actor;
let own: { assessment: string; intent: string };
let foreign: { assessment: string; intent: string };

beforeAll(async () => {
  [mine, theirs] = [await makeActor(rail), await makeActor(rail)];
  own = await createConfirmed(rail, mine);
  await draft(rail, mine);
  foreign = await createConfirmed(rail, theirs);
});

describe('node', () => {
  const NODE = 'query ($id: ID!) { node(id: $id) { id __typename } }';

  it('finds records of many kinds by their ids alone', async () => {
    for (const [id, typename] of [
      [own.assessment, 'Assessment'],
      [own.intent, 'PaymentIntent'],
      ['URA', 'Agency'],
    ])
      expect((await ask(mine, NODE, { id })).data.node).toEqual({ id, __typename: typename });
  });

  it('is null for what belongs to others, as for what does not exist and what could not', async () => {
    for (const id of [
      foreign.assessment,
      foreign.intent,
      'ASMT-2020-01-000001',
      'ASMT-2026-13-000001',
      'ASMT-2026-11-1',
      `${own.assessment} `,
      own.assessment.toLowerCase(),
      `${own.assessment}.NOBODY`,
      'NOBODY',
      '',
      '*',
      "' or true --",
      '..',
      '__proto__',
      'constructor',
      '💸',
      'x'.repeat(200),
    ]) {
      const { data, errors } = await ask(mine, NODE, { id });
      expect(data?.node ?? null, id).toBeNull();
      // An id of a kind that this key may see nothing of is answered for its kind, whether there is such a record or not.
      for (const { extensions } of errors ?? [])
        expect(['forbidden', 'unauthenticated'], id).toContain(extensions.code);
    }
    const { data } = await ask(mine, 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
      ids: [foreign.intent, own.intent, 'nothing', 'URA'],
    });
    expect(data.nodes).toEqual([null, { id: own.intent }, null, { id: 'URA' }]);
  });
});

describe('a page', () => {
  const refusals = async (who: Pick<Actor, 'ask'>, query: string) => {
    const { errors } = await ask(who, query);
    return errors?.map(({ extensions: { code, details } }) => [code, details?.[0]?.path]);
  };

  it('is refused that begins at a row of another list, of somebody else, or of none', async () => {
    for (const cursor of [foreign.assessment, own.intent, 'ASMT-2020-01-000001', `${own.assessment}x`, 'x', "'", ' ']) {
      const literal = JSON.stringify(cursor);
      expect(await refusals(mine, `{ assessments(after: ${literal}) { nodes { id } } }`), cursor).toEqual([
        ['validation_failed', 'after'],
      ]);
      expect(await refusals(mine, `{ assessments(last: 2, before: ${literal}) { nodes { id } } }`), cursor).toEqual([
        ['validation_failed', 'before'],
      ]);
    }
    // A list below a record begins at its own rows alone.
    const { data } = await ask(mine, `{ paymentEvents(first: 1) { nodes { id } } }`);
    const [event] = data.paymentEvents.nodes;
    const [other] = (await ask(theirs, `{ paymentEvents(first: 1) { nodes { id } } }`)).data.paymentEvents.nodes;
    const below = (cursor: string) =>
      `query { paymentIntent(id: "${own.intent}") { events(after: "${cursor}") { nodes { id } } } }`;
    expect((await ask(mine, below(event.id))).errors).toBeUndefined();
    expect(await refusals(mine, below(other.id))).toEqual([['validation_failed', 'after']]);
  });

  it('is refused from both ends, over its bound, or of a negative size', async () => {
    for (const [args, path] of [
      ['first: 1, last: 1', 'last'],
      ['last: 1, offset: 1', 'offset'],
      ['first: 201', 'first'],
      ['last: 201', 'last'],
      ['first: 0', 'first'],
      ['first: -1', 'first'],
      ['offset: -1', 'offset'],
      ['offset: 10001', 'offset'],
    ])
      expect(await refusals(mine, `{ assessments(${args}) { nodes { id } } }`), args).toEqual([
        ['validation_failed', path],
      ]);
    const admin = await makeStaff(rail, 'admin');
    for (const list of ['agencies(first: 501)', 'reconciliationRuns(first: 201)', 'anomalies(last: 201)'])
      expect((await refusals(admin, `{ ${list} { nodes { id } } }`))?.[0]?.[0], list).toBe('validation_failed');
  });
});

describe('a document', () => {
  /** Assessments within intents within assessments, so many rows of each list. */
  const cycle = (turns: number, rows: number): string =>
    turns === 0 ? 'id' : `intents(first: ${rows}) { nodes { id assessment { ${cycle(turns - 1, rows)} } } }`;

  it('may follow ten edges, one after another', async () => {
    const edges = `{ citizens(first: 1) { nodes { assessments(first: 1) { nodes { intents(first: 1) { nodes {
      events(first: 1) { nodes { intent { assessment { lines { service { agency { services(first: 1) { nodes {
      id } } } } } } } } } } } } } } } }`;
    expect((await ask(mine, edges)).errors).toBeUndefined();
  });

  it('costs more where a filter may read a whole list, so that few such filters fit into one', async () => {
    const costOf = async (args: string) =>
      (await ask(mine, `{ paymentIntents(${args}) { nodes { id } } }`)).extensions!.cost.asked;
    expect(await costOf('first: 1, status: Failed')).toBe((await costOf('first: 1')) + 5_000);
    expect(await costOf('first: 1, status: Failed, channel: cash')).toBe(await costOf('first: 1, status: Failed'));
    expect(await costOf(`first: 1, assessment: "${own.assessment}"`)).toBe(await costOf('first: 1'));
    const many = [1, 2, 3, 4].map((nth) => `a${nth}: assessments(status: Draft, first: ${nth}) { nodes { id } }`);
    expect((await ask(mine, `{ ${many.slice(0, 3).join(' ')} }`)).errors).toBeUndefined();
    expect((await ask(mine, `{ ${many.join(' ')} }`)).errors?.[0]?.extensions.code).toBe('validation_failed');
  });

  it('is answered if it goes round in circles within its bounds, and refused beyond them', async () => {
    const within = await ask(mine, `{ assessments(first: 2) { nodes { ${cycle(3, 2)} } } }`);
    expect(within.errors).toBeUndefined();
    expect(within.extensions!.cost.asked).toBeLessThan(OPERATION_LIMITS.complexity);
    for (const [turns, rows] of [
      [3, 50],
      [10, 1],
      [20, 1],
    ] as const) {
      const { data, errors } = await ask(mine, `{ assessments(first: 10) { nodes { ${cycle(turns, rows)} } } }`);
      expect([turns, data ?? null, errors?.[0]?.extensions.code]).toEqual([turns, null, 'validation_failed']);
      expect(errors![0]!.message).toMatch(/complexity|depth|nested/i);
    }
  });
});
