import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { type Actor, draft, makeActor } from '../../harness/flow.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { type Ask, testRail } from '../../harness/rail.ts';

const rail = testRail();

let actor: Actor;
let clerk: StaffActor;
let auditor: StaffActor;
/** Citizens of the sandbox, newest first. */
let names: string[];
beforeAll(async () => {
  [actor, clerk, auditor] = [await makeActor(rail), await makeStaff(rail, 'clerk'), await makeStaff(rail, 'auditor')];
  names = (await rail.rows<{ name: string }>(sql`select name from citizen order by created_at desc, name desc`)).map(
    ({ name }) => name,
  );
});

interface Entry {
  readonly citizen: string | null;
  readonly purpose: string;
  readonly stated_purpose: string | null;
  readonly caller: string;
  readonly actor: string;
  readonly credential: string | null;
  readonly request_id: string;
}

/** Log entries of a request. */
async function entriesOf(ask: () => Promise<{ readonly headers: Headers }>): Promise<Entry[]> {
  const request = (await ask()).headers.get('x-request-id')!;
  await rail.rail.citizenAccess.flush();
  return rail.rows<Entry>(sql`
    select citizen, purpose, stated_purpose, caller, actor, credential, request_id from citizen_access
    where request_id = ${request} order by citizen desc`);
}

const graphql = (query: string, credential: Ask = { key: actor.key }) =>
  rail.ask('/graphql', { ...credential, body: { query } });

describe('who sees a citizen', () => {
  it('is booked by account, key and request: each citizen of a list', async () => {
    const entries = await entriesOf(() => actor.ask('/v1/citizens?limit=3'));
    expect(entries.map(({ citizen, purpose }) => [citizen, purpose])).toEqual(
      names.slice(0, 3).map((name) => [name, 'list']),
    );
    expect(entries[0]).toMatchObject({
      caller: 'key',
      actor: actor.integrator,
      credential: expect.stringMatching(/^KEY-/),
      stated_purpose: null,
    });
  });

  it('is booked for a file of them too', async () => {
    const entries = await entriesOf(() => actor.ask('/v1/citizens', { headers: { accept: 'text/csv' } }));
    expect(new Set(entries.map(({ citizen }) => citizen))).toEqual(new Set(names));
  });

  it('is booked with what the caller says of its purpose', async () => {
    const headers = { 'x-purpose': 'Case 2026/17: refund' };
    const [entry] = await entriesOf(() => actor.ask(`/v1/citizens/${names[0]}`, { headers }));
    expect(entry).toMatchObject({ citizen: names[0], purpose: 'record', stated_purpose: 'Case 2026/17: refund' });
    const long = await actor.ask(`/v1/citizens/${names[0]}`, { headers: { 'x-purpose': 'x'.repeat(141) } });
    expect(long).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(long.json.error.details[0].path).toBe('X-Purpose');
  });

  it('is booked for look-ups: of the registry, of the authority alone, and of nobody', async () => {
    const { nin } = (await actor.ask(`/v1/citizens/${names[0]}`)).data;
    const found = await entriesOf(() => actor.ask(`/v1/citizens/search?nin=${nin}`));
    expect(found).toMatchObject([{ citizen: names[0], purpose: 'lookup' }]);
    for (const other of ['CM98765432WXYZ', 'CM98765432WXYX'])
      expect(await entriesOf(() => actor.ask(`/v1/citizens/search?nin=${other}`))).toMatchObject([
        { citizen: null, purpose: 'lookup' },
      ]);
  });

  it('is booked for staff who register somebody', async () => {
    let name = '';
    const entries = await entriesOf(async () => {
      const answer = await clerk.post('/v1/work/citizens', { nin: 'CF00000000SEEN' });
      name = answer.data.citizen.name;
      return answer;
    });
    expect(entries).toMatchObject([{ citizen: name, purpose: 'registration', caller: 'staff', actor: clerk.email }]);
  });

  it('is booked for every way of the graph: by ID, through edges, and through look-ups', async () => {
    const assessment = await draft(rail, actor);
    const { citizen } = (await actor.ask(`/v1/assessments/${assessment}`)).data;
    const ways: readonly (readonly [string, string])[] = [
      [`{ citizen(id: "${citizen}") { fullName } }`, 'record'],
      [`{ node(id: "${citizen}") { ... on Citizen { nin } } }`, 'record'],
      [`{ nodes(ids: ["${citizen}"]) { ... on Citizen { phone } } }`, 'record'],
      [`{ assessment(id: "${assessment}") { citizen { fullName } } }`, 'assessment'],
      [`{ assessments(first: 1) { nodes { citizen { fullName } } } }`, 'assessment'],
    ];
    for (const [query, purpose] of ways)
      expect(await entriesOf(() => graphql(query)), query).toMatchObject([{ citizen, purpose }]);
    // An ID says nothing of a person.
    expect(await entriesOf(() => graphql(`{ assessment(id: "${assessment}") { citizen { id } } }`))).toEqual([]);
  });

  it('is never changed nor taken back', async () => {
    for (const change of [
      'update citizen_access set actor = 1',
      'delete from citizen_access',
      'truncate citizen_access',
    ])
      await expect(rail.query(change), change).rejects.toThrow(/append-only|rewrit/i);
    const [part] = await rail.rows<{ part: string }>(
      sql`select tableoid::regclass::text as part from citizen_access limit 1`,
    );
    await expect(rail.query(`delete from ${part!.part}`)).rejects.toThrow();
  });
});

describe('GET /v1/ops/citizen-access', () => {
  it('200: tells auditors, newest first, by citizen, caller, purpose and day', async () => {
    await actor.ask(`/v1/citizens/${names[5]}`);
    await rail.rail.citizenAccess.flush();
    const today = new Date(rail.rail.now()).toISOString().slice(0, 10);
    const query = `citizen=${names[5]}&actor=${actor.integrator}&purpose=record&from_date=${today}&to_date=${today}`;
    const { status, data } = await auditor.ask(`/v1/ops/citizen-access?${query}`);
    expect(status).toBe(200);
    expect(data).toHaveLength(1);
    expect(Object.keys(data[0])).toEqual([
      'name',
      'at',
      'citizen',
      'purpose',
      'stated_purpose',
      'caller',
      'actor',
      'credential',
      'request_id',
    ]);
    expect((await auditor.ask(`/v1/ops/citizen-access?citizen=${names[5]}&to_date=2020-01-01`)).data).toEqual([]);
    const pages = [await auditor.ask('/v1/ops/citizen-access?limit=2')];
    pages.push(await auditor.ask(`/v1/ops/citizen-access?limit=2&after=${pages[0]!.data[1].name}`));
    const all = await auditor.ask('/v1/ops/citizen-access?limit=4');
    expect(pages.flatMap((page) => page.data)).toEqual(all.data);
    const byId = await auditor.post('/graphql', {
      query: `{ node(id: "${data[0].name}") { ... on CitizenAccess { citizenId citizen { fullName } } } }`,
    });
    // Whom it is about is not the auditor's to know.
    expect(byId.json.data.node).toEqual({ citizenId: names[5], citizen: null });
    expect(byId.json.errors[0].extensions.code).toBe('forbidden');
  });

  it('403 and 401: for nobody else', async () => {
    for (const role of ['clerk', 'supervisor', 'admin', 'system_manager', 'oversight'] as const)
      expect((await (await makeStaff(rail, role)).ask('/v1/ops/citizen-access')).status, role).toBe(403);
    expect((await actor.ask('/v1/ops/citizen-access')).status).toBe(401);
  });

  it('lets auditors read what operators did, and nothing of citizens', async () => {
    expect((await auditor.ask('/v1/ops/audit')).status).toBe(200);
    for (const path of [
      '/v1/citizens',
      '/v1/assessments',
      '/v1/payment-events',
      '/v1/ops/integrators',
      '/v1/ops/staff',
    ])
      expect((await auditor.ask(path)).status, path).toBe(403);
  });
});
