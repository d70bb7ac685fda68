import { describe, expect, it } from 'vitest';
import { sealAll } from '../../../src/oversight/seals/seal.ts';
import { relay } from '../../../src/accounts/webhooks/relay.ts';
import { purgeEvents } from '../../../src/accounts/events/log.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { type Actor, TWO_LINES_TOTAL, createAssessed, createConfirmed, makeActor } from '../../harness/flow.ts';
import { makePoint } from '../../harness/people/biller.ts';
import { makeAgency } from '../../harness/people/agency.ts';
import { testRail } from '../../harness/rail.ts';
import { countStatements } from '../../harness/run/statements.ts';
import { passTime } from '../../harness/run/wait.ts';

const rail = testRail();

interface Event {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly data: { readonly object: { readonly name: string } };
}

async function relayAll(): Promise<void> {
  await sealAll(rail.rail);
  while ((await relay(rail.rail)) > 0);
}

const fetchFrom = async (actor: Pick<Actor, 'ask'>, query = ''): Promise<Event[]> => {
  const { status, data, text } = await actor.ask(`/v1/events${query}`);
  expect(status, text).toBe(200);
  return data as Event[];
};

/** Reads page by page from a cursor on, as a program does that may die anywhere. */
async function readOn(actor: Pick<Actor, 'ask'>, after: string | null, limit = 2): Promise<Event[]> {
  const page = await fetchFrom(actor, `?limit=${limit}${after === null ? '' : `&after=${after}`}`);
  return page.length === 0 ? [] : [...page, ...(await readOn(actor, page.at(-1)!.id, limit))];
}

describe('GET /v1/events', () => {
  it('200: has what webhooks carry, oldest first, and payment events from the first request on', async () => {
    const actor = await makeActor(rail);
    await createConfirmed(rail, actor);
    await relayAll();
    const before = await fetchFrom(actor);
    expect(before.map(({ type }) => type)).toEqual(['assessment.paid', 'payment_intent.confirmed', 'receipt.issued']);
    const { intent } = await createConfirmed(rail, actor);
    await relayAll();
    const after = await fetchFrom(actor, `?after=${before.at(-1)!.id}`);
    expect(after.map(({ type }) => type).toSorted()).toEqual([
      'assessment.paid',
      'payment_event.created',
      'payment_event.created',
      'payment_intent.confirmed',
      'receipt.issued',
    ]);
    const confirmed = after.find(({ type }) => type === 'payment_intent.confirmed')!;
    const [row] = await rail.rows<{ body: object }>(sql`
      select jsonb_build_object('id', id, 'type', type, 'sequence', sequence, 'data', jsonb_build_object('object', payload)) as body
      from outbox where object = ${intent} and type = 'payment_intent.confirmed'`);
    expect(confirmed).toEqual({ ...row!.body, created_at: expect.stringMatching(/Z$/) });
    expect((await actor.ask(`/v1/events/${confirmed.id}`)).data).toEqual(confirmed);
  });

  it('loses and repeats nothing for a reader that goes on from its cursor, while payments are made', async () => {
    const actor = await makeActor(rail);
    const payments = Array.from({ length: 6 }, () => createConfirmed(rail, actor));
    const read: Event[] = [];
    const going = Promise.all(payments);
    let done = false;
    void going.then(() => (done = true));
    for (;;) {
      const over: boolean = done;
      await relayAll();
      read.push(...(await readOn(actor, read.at(-1)?.id ?? null, 3)));
      if (over) break;
    }
    await going;
    const rows = await rail.rows<{ id: string }>(sql`select id from outbox where integrator = ${actor.integrator}`);
    expect(read.map(({ id }) => id).toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
    for (const messages of Map.groupBy(read, ({ data }) => data.object.name).values()) {
      const sequences = messages.map(({ sequence }) => sequence);
      expect(sequences).toEqual(sequences.toSorted((one, other) => one - other));
    }
  });

  it('has each message of a whole batch', async () => {
    const actor = await makeActor(rail);
    await relayAll();
    await rail.rows(sql`
      insert into outbox (id, type, object, sequence, integrator, payload, created_at)
      select gen_random_uuid(), 'webhook.test', 'O-' || n, 1, ${actor.integrator}, '{}', now()
      from generate_series(1, 400) n`);
    expect(await relay(rail.rail)).toBe(400);
    const sent = await rail.rows<{ id: string }>(sql`select id from outbox where integrator = ${actor.integrator}`);
    const read = await readOn(actor, null, 100);
    expect(read.map(({ id }) => id).toSorted()).toEqual(sent.map(({ id }) => id).toSorted());
  });

  it('filters by types and beginnings of types', async () => {
    const actor = await makeActor(rail);
    await fetchFrom(actor);
    await createConfirmed(rail, actor);
    await relayAll();
    const typesOf = async (types: string) =>
      (await fetchFrom(actor, `?types=${types}`)).map(({ type }) => type).toSorted();
    expect(await typesOf('payment_intent.*')).toEqual(['payment_intent.confirmed']);
    expect(await typesOf('payment_event.created,assessment.paid')).toEqual([
      'assessment.paid',
      'payment_event.created',
      'payment_event.created',
    ]);
    expect(await actor.ask('/v1/events?types=nothing.*')).toMatchObject({ status: 422 });
  });

  it('waits for the first event, for as long as it is asked to', async () => {
    const actor = await makeActor(rail);
    const looks = countStatements(rail.rail.db, 'from event_log');
    let answered = false;
    const inVain = fetchFrom(actor, '?wait=25').finally(() => (answered = true));
    await expect.poll(looks).toBeGreaterThan(2);
    expect(answered).toBe(false);
    passTime(25_000);
    expect(await inVain).toEqual([]);
    const waiting = fetchFrom(actor, '?wait=25');
    await createConfirmed(rail, actor);
    await relayAll();
    expect((await waiting).length).toBeGreaterThan(0);
  });

  it('401: an account that was suspended while it waited', async () => {
    const actor = await makeActor(rail);
    const waiting = actor.ask('/v1/events?wait=25');
    await expect
      .poll(() => rail.rows(sql`select from event_reader where integrator = ${actor.integrator}`))
      .toHaveLength(1);
    await rail.rows(sql`update integrator set status = 'Suspended' where code = ${actor.integrator}`);
    expect(await waiting).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  it('429: more requests that wait than an account may have', async () => {
    const actor = await makeActor(rail);
    const answers = await Promise.all(Array.from({ length: 6 }, () => actor.ask('/v1/events?wait=2')));
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('422: a cursor of another account, or none at all; 404: its event', async () => {
    const [actor, other] = [await makeActor(rail), await makeActor(rail)];
    await createConfirmed(rail, other);
    await relayAll();
    const [event] = await fetchFrom(other);
    for (const after of [event!.id, 'x', '00000000-0000-4000-8000-000000000000'])
      expect(await actor.ask(`/v1/events?after=${after}`)).toMatchObject({ status: 422, code: 'validation_failed' });
    for (const id of [event!.id, 'x']) expect(await actor.ask(`/v1/events/${id}`)).toMatchObject({ status: 404 });
    for (const wait of [-1, 26, 'x']) expect(await actor.ask(`/v1/events?wait=${wait}`)).toMatchObject({ status: 422 });
    expect((await rail.ask('/v1/events')).status).toBe(401);
  });

  it('keeps events for 90 days', async () => {
    const actor = await makeActor(rail);
    await createConfirmed(rail, actor);
    await relayAll();
    const [first, ...others] = await fetchFrom(actor);
    await rail.rows(
      sql`update event_log set created_at = created_at - interval '91 days' where message = ${first!.id}::uuid`,
    );
    expect(await fetchFrom(actor)).toEqual(others);
    expect(await purgeEvents(rail.rail)).toBe(1);
  });
});

describe('events of an agency', () => {
  it('are fetched by a token with events.read: its payments from any account, and nothing of other agencies', async () => {
    const agency = await makeAgency(rail, 'URSB', ['events.read']);
    const key = await agency.token();
    const asked = { ask: (path: string) => rail.ask(path, { key }) };
    const before = await fetchFrom(asked);
    const { intent } = await createConfirmed(rail, await makeActor(rail));
    await relayAll();
    const events = await fetchFrom(asked, before.length > 0 ? `?after=${before.at(-1)!.id}` : '');
    expect(events.map(({ type }) => type)).toEqual(['payment_event.created']);
    expect(events[0]!.data.object).toMatchObject({ mda: 'URSB', intent });
    const query = '{ events { totalCount nodes { id type data { object } } } }';
    const graph = (await rail.ask('/graphql', { key, body: { query } })).json.data.events;
    expect(graph.totalCount).toBe(before.length + 1);
    for (const { data } of graph.nodes as Event[]) expect(data.object).toMatchObject({ mda: 'URSB' });
    const other = await (await makeAgency(rail, 'URSB', ['payments.read'])).token();
    expect((await rail.ask('/v1/events', { key: other })).status).toBe(403);
  });

  it('200: who made an assessment, and each of its agencies, hears of money that paid nothing, and may read it', async () => {
    const [actor, stranger] = [await makeActor(rail), await makeActor(rail)];
    const scopes = ['events.read', 'assessments.read', 'payments.read'] as const;
    const asAgency = async (mda: string) => {
      const key = await (await makeAgency(rail, mda, scopes)).token();
      const ask = (path: string) => rail.ask(path, { key });
      return { ask, post: (path: string, body: object) => rail.ask(path, { key, body }) };
    };
    const [ura, ursb, kcca] = [await asAgency('URA'), await asAgency('URSB'), await asAgency('KCCA')];
    const assessment = await createAssessed(rail, actor);
    const { data: reference } = await actor.post(`/v1/assessments/${assessment}:issue-reference`);
    const report = { reference: reference.number, amount: TWO_LINES_TOTAL - 1, txn_id: 'FT-1' };
    const { data } = await makePoint(rail).pay(report);
    await relayAll();
    const heard = async (by: Pick<Actor, 'ask'>) =>
      (await fetchFrom(by, '?types=money_received.*&limit=100')).map((event) => event.data.object);
    const money = { name: data.object, kind: 'short', amount: report.amount, assessment, txn_id: 'FT-1' };
    expect(await heard(actor)).toMatchObject([{ ...money, agencies: ['URA', 'URSB'] }]);
    expect(await heard(ura)).toMatchObject([{ ...money, agencies: ['URA'] }]);
    expect(await heard(ursb)).toMatchObject([{ ...money, agencies: ['URSB'] }]);
    for (const other of [stranger, kcca]) expect(await heard(other)).toEqual([]);
    const operators = sql`select from event_log where type = 'money_received.booked' and integrator <> ${actor.integrator}`;
    expect(await rail.count(operators)).toBe(0);

    const node = `{ node(id: "${data.object}") { id } }`;
    const query = node.replace('{', `{ assessment(id: "${assessment}") { moneyReceived { nodes { id kind } } }`);
    for (const by of [actor, ura, ursb])
      expect((await by.post('/graphql', { query })).data).toEqual({
        assessment: { moneyReceived: { nodes: [{ id: data.object, kind: 'short' }] } },
        node: { id: data.object },
      });
    for (const by of [stranger, kcca])
      expect((await by.post('/graphql', { query: node })).data).toEqual({ node: null });
  });
});
