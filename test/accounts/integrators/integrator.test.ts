import { type GraphQLObjectType, getNamedType, isLeafType } from 'graphql';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { schema } from '../../../src/app/schema.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { issueKey } from '../../../src/accounts/integrators/issue-key.ts';
import { type Account, makeAccount, signIn } from '../../harness/people/accounts.ts';
import { createPending, makeActor } from '../../harness/flow.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { type Answer, type Ask, testRail } from '../../harness/rail.ts';

const rail = testRail({ DEV_REVEAL: 'on' });

type Credential = Pick<Ask, 'key' | 'headers'>;

/** Fields of an account that only operators read, and fields that only its owner reads. Both read all others. */
const FOR_OPERATORS = ['contactName', 'notes', 'sessions', 'suspendedReason'];
const FOR_OWNERS = ['contactPhone', 'requests', 'requestsByDay', 'requestsLast7Days', 'webhookSecret'];

const fields = Object.values((schema.getType('Integrator') as GraphQLObjectType).getFields());

/** Every field of an account; of a list, how many there are. */
const EVERYTHING = fields
  .map(({ name, type }) => {
    const named = getNamedType(type);
    if (isLeafType(named)) return name;
    return named.name.endsWith('Connection') ? `${name} { totalCount }` : `${name} { __typename }`;
  })
  .join(' ');

const NODE = `query ($id: ID!) { account: node(id: $id) { ... on Integrator { ${EVERYTHING} } } }`;

function ask(credential: Credential, query: string, variables: object = {}): Promise<Answer> {
  return rail.ask('/graphql', { ...credential, body: { query, variables } });
}

/** The fields of an account that a caller sees, and those that they are refused; null where they see no account. */
async function seenOf(integrator: string, credential: Credential) {
  const { data, errors = [] } = (await ask(credential, NODE, { id: integrator })).json;
  if (!data.account) return errors.length > 0 ? errors[0].extensions.code : null;
  const refused = errors.map(({ path }: { path: string[] }) => path[1]).toSorted();
  expect(refused.every((name: string) => data.account[name] === null)).toBe(true);
  return refused;
}

const query = vi.spyOn(pg.Client.prototype, 'query');
afterAll(() => query.mockRestore());

/** The statements that an operation takes over those of finding out who asks. */
async function statementsOf(credential: Credential, text: string): Promise<number> {
  await ask(credential, '{ __typename }');
  const count = async (what: string) => {
    query.mockClear();
    const { json } = await ask(credential, what);
    expect(json.errors).toBeUndefined();
    const texts = query.mock.calls.map(([statement]) => (statement as unknown as { text?: string }).text ?? '');
    return texts.filter((statement) => /^\s*select/.test(statement)).length;
  };
  return (await count(text)) - (await count('{ __typename }'));
}

describe('the account of an integrator', () => {
  let account: Account;
  let other: Account;
  let operators: Credential[];
  beforeAll(async () => {
    [account, other] = [await makeAccount(rail), await makeAccount(rail)];
    const staff = [await makeStaff(rail, 'admin'), await makeStaff(rail, 'system_manager')];
    operators = [...staff, await makeStaff(rail, 'oversight')].map(({ cookie }) => ({ headers: { cookie } }));
  });

  it('is one type, of which its owner sees all but what operators write down', async () => {
    expect(fields.length).toBeGreaterThan(25);
    const plain = await issueKey(rail.rail, { integrator: account.integrator }, ['assessments.read']);
    const owners: Credential[] = [
      { key: account.key },
      { key: plain.plaintext },
      { headers: { cookie: await signIn(rail, account) } },
    ];
    for (const owner of owners) {
      expect(await seenOf(account.integrator, owner)).toEqual(FOR_OPERATORS);
      expect((await ask(owner, `{ me { ${EVERYTHING} } }`)).json.errors).toHaveLength(FOR_OPERATORS.length);
      // Another's is to them like one that does not exist.
      expect(await seenOf(other.integrator, owner)).toBeNull();
    }
  });

  it('is shown to operators without what is its owner’s own affair, by every way to it', async () => {
    for (const operator of operators) {
      expect(await seenOf(account.integrator, operator)).toEqual(FOR_OWNERS);
      for (const way of [
        `integrator(id: "${account.integrator}") { ${EVERYTHING} }`,
        `integrators(first: 1) { nodes { ${EVERYTHING} } }`,
        `keys(first: 1) { nodes { integrator { ${EVERYTHING} } } }`,
      ]) {
        const { errors } = (await ask(operator, `{ ${way} }`)).json;
        expect(errors.map(({ path }: { path: string[] }) => path.at(-1)).toSorted()).toEqual(FOR_OWNERS);
      }
    }
  });

  it('is shown to nobody else', async () => {
    const clerk = await makeStaff(rail, 'clerk', 'supervisor');
    const watcher = await rail.key('oversight.read', 'oversight.audit');
    expect(await seenOf(account.integrator, { headers: { cookie: clerk.cookie } })).toBe('forbidden');
    expect(await seenOf(account.integrator, {})).toBe('unauthenticated');
    expect(await seenOf(account.integrator, { key: watcher.plaintext })).toBeNull();
    for (const id of [account.keyName, 'KEY-2026-999999', 'NOBODY-ABCDEF'])
      expect((await ask({ key: other.key }, 'query ($id: ID!) { node(id: $id) { id } }', { id })).json).toMatchObject({
        data: { node: null },
      });
    const denied = await ask({ key: account.key }, `{ integrator(id: "${account.integrator}") { id } }`);
    expect(denied.json.errors[0].extensions.code).toBe('unauthenticated');
  });

  it('leads to its keys, messages and requests, and these lead back to it', async () => {
    const { data, errors } = (
      await ask(
        { key: account.key },
        `{ me { id keys(first: 5) { nodes { id integratorId integrator { id me: displayName } } }
           requests(first: 1) { nodes { id keyId key { id integrator { id } } } } deliveries { totalCount } } }`,
      )
    ).json;
    expect(errors).toBeUndefined();
    expect(data.me.keys.nodes[0]).toMatchObject({
      integratorId: account.integrator,
      integrator: { id: account.integrator, me: 'Test Office' },
    });
    expect(data.me.deliveries.totalCount).toBe(0);
  });

  it('costs as many statements with what hangs on it, however many accounts there are', async () => {
    const [operator] = operators;
    const text = (first: number) =>
      `{ integrators(first: ${first}) { nodes { activeKeyCount totalKeyCount
         keys(first: 3, status: active) { totalCount nodes { integrator { displayName } } }
         deliveries(first: 3) { nodes { integrator { displayName } } }
         sessions(first: 3) { nodes { owner { ... on Integrator { displayName } ... on Staff { fullName } } } } } } }`;
    const makeSignedIn = async () => signIn(rail, await makeAccount(rail));
    await makeSignedIn();
    const few = await statementsOf(operator!, text(1));
    await Promise.all(Array.from({ length: 8 }, makeSignedIn));
    expect(await statementsOf(operator!, text(8))).toBe(few);
    expect(few).toBeLessThanOrEqual(9);
  });

  it('has sessions that operators see with whose they are, and end by id', async () => {
    const [operator] = operators;
    await signIn(rail, other);
    const { data } = (
      await ask(
        operator!,
        `{ integrator(id: "${other.integrator}") { sessions { nodes { id ownerId owner { __typename } } } } }`,
      )
    ).json;
    const [session] = data.integrator.sessions.nodes;
    expect(session).toMatchObject({ ownerId: other.integrator, owner: { __typename: 'Integrator' } });
    const ended = await ask(
      operator!,
      `mutation ($id: ID!) { endSession(id: $id, reason: "Lost") { id endedAt } }`,
      session,
    );
    expect(ended.json.data.endSession).toMatchObject({ id: session.id, endedAt: expect.any(String) });
    const audited = `{ operatorAudit(first: 1, subject: "${session.id}") { nodes { id subjectId subject { id } } } }`;
    const [entry] = (await ask(operator!, audited)).json.data.operatorAudit.nodes;
    expect(entry).toMatchObject({ subjectId: session.id, subject: { id: session.id } });
    const found = await ask(operator!, `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }`, {
      ids: [session.id, entry.id],
    });
    expect(found.json.data.nodes).toEqual([
      { __typename: 'OpenSession', id: session.id },
      { __typename: 'OperatorAuditEntry', id: entry.id },
    ]);
    for (const id of [session.id, entry.id])
      expect(
        (await ask({ key: other.key }, 'query ($id: ID!) { node(id: $id) { id } }', { id })).json.data.node,
      ).toBeNull();
  });
});

describe('requests', () => {
  it('are paged through both ways, and looked up by id, by their account alone', async () => {
    const [account, other] = [await makeAccount(rail), await makeAccount(rail)];
    for (let nth = 0; nth < 5; nth++) await rail.ask('/v1/me', { key: account.key });
    await rail.rail.audit.flush();
    const page = async (args: string) =>
      (
        await ask(
          { key: account.key },
          `{ myLogs(endpoint: "/v1/me", ${args}) { nodes { id ts } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } totalCount } }`,
        )
      ).json.data.myLogs;
    const all = await page('first: 10');
    expect([all.nodes.length, all.totalCount]).toEqual([5, 5]);
    const last = await page('last: 2');
    expect(last.nodes).toEqual(all.nodes.slice(3));
    expect((await page(`last: 10, before: "${last.pageInfo.startCursor}"`)).nodes).toEqual(all.nodes.slice(0, 3));
    const { id } = all.nodes[2];
    const look = (key: string) => ask({ key }, 'query ($id: ID!) { node(id: $id) { __typename id } }', { id });
    expect((await look(account.key)).json.data.node).toEqual({ __typename: 'AuditLogEntry', id });
    expect((await look(other.key)).json.data.node).toBeNull();
    const foreign = await ask({ key: other.key }, `{ myLogs(after: "${id}", endpoint: "nowhere") { nodes { id } } }`);
    expect(foreign.json.errors[0].extensions).toMatchObject({
      code: 'validation_failed',
      details: [{ path: 'after' }],
    });
  });
});

describe('a message', () => {
  it('leads to what it tells of, under the rules of that', async () => {
    const actor = await makeActor(rail);
    const { assessment, intent } = await createPending(rail, actor);
    const objects = [assessment, intent, actor.integrator];
    await rail.rows(sql`
      with told as (
        insert into outbox (id, type, object, sequence, integrator, payload, created_at)
        select gen_random_uuid(), 'webhook.test', object, 900, ${actor.integrator}, '{}', now() + n * interval '1 second'
        from unnest(${objects}::text[]) with ordinality o(object, n) returning *)
      insert into webhook_delivery (name, message, integrator, type, object, sequence, status, created_at, delivered_at)
      select 'WHD-2026-11-90000' || row_number() over (order by created_at), id, integrator, type, object, sequence,
        'delivered', created_at, now()
      from told`);
    const look = async (key: string, selection: string) => {
      const text = `{ myWebhookDeliveries { nodes { objectId object { __typename ${selection} } } } }`;
      const { data, errors = [] } = (await ask({ key }, text)).json;
      if (!data) throw new Error(JSON.stringify(errors));
      return { nodes: data.myWebhookDeliveries.nodes.toReversed(), errors };
    };
    const ids = '... on Assessment { id } ... on PaymentIntent { id } ... on Integrator { id }';
    const kinds = ['Assessment', 'PaymentIntent', 'Integrator'];
    const known = objects.map((id, nth) => ({ objectId: id, object: { __typename: kinds[nth], id } }));
    expect(await look(actor.key, ids)).toEqual({ nodes: known, errors: [] });
    const statuses =
      '... on Assessment { assessed: status } ... on PaymentIntent { sent: status } ... on Integrator { open: status }';
    expect((await look(actor.key, statuses)).nodes.map(({ object }: { object: object }) => object)).toEqual([
      { __typename: 'Assessment', assessed: 'Assessed' },
      { __typename: 'PaymentIntent', sent: 'Pending' },
      { __typename: 'Integrator', open: 'Active' },
    ]);
    const reader = await issueKey(rail.rail, { integrator: actor.integrator }, ['assessments.read']);
    const seen = await look(reader.plaintext, statuses);
    expect(seen.nodes.map(({ object }: { object: object | null }) => object !== null)).toEqual([true, false, true]);
    expect(seen.errors).toMatchObject([{ extensions: { code: 'forbidden' } }]);
  });
});
