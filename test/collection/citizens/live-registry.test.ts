import { beforeAll, describe, expect, it } from 'vitest';
import { ALLOWANCES } from '../../../src/platform/access/account.ts';
import { isBounded } from '../../../src/collection/citizens/look-ups.ts';
import { lookForAnomalies } from '../../../src/collection/anomalies/search.ts';
import { actAsSystem } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { json, sql } from '../../../src/platform/database/sql.ts';
import { type Actor, draft, makeActor } from '../../harness/flow.ts';
import { LIVE } from '../../harness/live.ts';
import { makeAgency } from '../../harness/people/agency.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { type Answer, testRail } from '../../harness/rail.ts';

const rail = testRail(LIVE);

/** People of the registry: 60 of one family name, one phone each. */
const PEOPLE = 60;
let actor: Actor;
let clerk: StaffActor;
beforeAll(async () => {
  [actor, clerk] = [await makeActor(rail), await makeStaff(rail, 'clerk')];
  const people = Array.from({ length: PEOPLE }, (_, index) => ({
    name: `CITIZEN-2025-${String(index + 1).padStart(6, '0')}`,
    nin: `CM${String(index).padStart(12, '0')}`,
    phone: `+2567009${String(index).padStart(5, '0')}`,
    full_name: `Okello Number${index}`,
  }));
  await rail.rows(sql`
    insert into citizen (name, nin, full_name, phone, verified, search_text, created_at, updated_at)
    select name, nin, full_name, phone, true, lower(full_name || ' ' || nin || ' ' || phone), now(), now()
    from jsonb_to_recordset(${json(people)}::jsonb) as r (name text, nin text, full_name text, phone text)`);
});

const reasonOf = (answer: Answer) => answer.json.error.details[0].code as string;
const list = (query: string, who: Pick<Actor, 'ask'> = actor) => who.ask(`/v1/citizens${query}`);
const graph = async (query: string, key = actor.key) => (await rail.ask('/graphql', { key, body: { query } })).json;

/** An account of which only some look-ups of today are left. */
async function accountWith(left: number): Promise<Actor> {
  const account = await makeActor(rail);
  const used = ALLOWANCES.free.citizenLookUpsPerDay - left;
  await rail.rows(sql`
    insert into citizen_look_ups (caller, day, used)
    values (${account.integrator}, (now() at time zone 'utc')::date, ${used})`);
  return account;
}

describe('a live rail lists citizens to integrators', () => {
  it.each(['', '?limit=200', '?q=num', '?start=5', '?after=CITIZEN-2025-000003'])('422: not by %s', async (query) => {
    const answer = await list(query);
    expect(answer).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(reasonOf(answer)).toBe('citizen_filter_required');
  });

  it('422: not by a q that more than 50 people match', async () => {
    const answer = await list('?q=okello');
    expect([answer.status, reasonOf(answer)]).toEqual([422, 'too_many_matches']);
    expect(answer.text).not.toContain('Number');
  });

  it('200: by NIN, by phone, and by a selective q', async () => {
    for (const query of ['?nin=cm000000000007', '?phone=%2B256700900007', '?q=number7'])
      expect((await list(query)).data.map(({ full_name }: { full_name: string }) => full_name)).toContain(
        'Okello Number7',
      );
  });

  it('is the same over GraphQL, as a file, and as a count', async () => {
    for (const query of ['{ citizens(first: 5) { nodes { nin } } }', '{ citizens { totalCount } }']) {
      const { errors } = await graph(query);
      expect(errors[0].extensions.details[0].code).toBe('citizen_filter_required');
    }
    const file = await actor.ask('/v1/citizens', { headers: { accept: 'text/csv' } });
    expect([file.status, reasonOf(file)]).toEqual([422, 'citizen_filter_required']);
  });

  it('200: staff see the list as before, and it is booked', async () => {
    const answer = await list('?limit=50', clerk);
    expect(answer.data).toHaveLength(50);
    await rail.rail.citizenAccess.flush();
    const seen = await rail.count(
      sql`select 1 from citizen_access where request_id = ${answer.headers.get('x-request-id')}`,
    );
    expect(seen).toBe(50);
    expect(await rail.count(sql`select 1 from citizen_look_ups where caller = ${clerk.email}`)).toBe(0);
  });

  it('200: the citizens of its own assessments cost no look-up', async () => {
    const account = await accountWith(0);
    await draft(rail, account);
    const { data } = await graph('{ assessments { nodes { citizen { fullName } } } }', account.key);
    expect(data.assessments.nodes[0].citizen.fullName).toEqual(expect.any(String));
  });
});

describe('who is bounded', () => {
  it('is everybody but staff and the rail itself, and nobody in a sandbox', () => {
    const { config } = rail.rail;
    const viewers = { key: { kind: 'key' }, session: { kind: 'session' }, agency: { kind: 'agency' } } as const;
    for (const viewer of Object.values(viewers)) {
      expect(isBounded({ config, viewer }), viewer.kind).toBe(true);
      expect(isBounded({ config: { mode: 'sandbox' }, viewer }), viewer.kind).toBe(false);
    }
    for (const kind of ['staff', 'system'] as const) expect(isBounded({ config, viewer: { kind } }), kind).toBe(false);
  });
});

describe('the daily quota of look-ups', () => {
  it('429: of an agency too, as of an account of the standard tier', async () => {
    const key = await (await makeAgency(rail, 'URA', ['citizens.read'])).token();
    await rail.rows(sql`
      insert into citizen_look_ups (caller, day, used)
      values ('agency:URA', (now() at time zone 'utc')::date, ${ALLOWANCES.standard.citizenLookUpsPerDay - 1})`);
    const find = () => rail.ask('/v1/citizens?nin=CM000000000007', { key });
    const found = await find();
    expect([found.status, (await find()).status]).toEqual([200, 429]);
    await rail.rail.citizenAccess.flush();
    expect(
      await rail.rows(sql`select actor from citizen_access where request_id = ${found.headers.get('x-request-id')}`),
    ).toEqual([{ actor: 'URA' }]);
  });

  it('429: says when to try again, and what is left', async () => {
    const account = await accountWith(1);
    expect((await list('?nin=CM000000000007', account)).status).toBe(200);
    const answer = await list('?nin=CM000000000008', account);
    expect(answer).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
    expect(answer.headers.get('ratelimit-policy')).toBe('"citizen-look-ups";q=1000;w=86400');
    expect(answer.headers.get('ratelimit')).toMatch(/^"citizen-look-ups";r=0;t=\d+$/);
  });

  it('counts each person that is shown, and nobody of a list that goes beyond', async () => {
    const account = await accountWith(5);
    // Number1 and Number10 to Number19.
    const answer = await list('?q=number1', account);
    expect(answer.status).toBe(429);
    expect(answer.text).not.toContain('Okello');
    expect((await list('?q=number1&limit=5', account)).data).toHaveLength(5);
    expect((await list('?q=number1&limit=5', account)).status).toBe(429);
  });

  it('counts every way to a record: by ID, by node, by look-up, by registration, and one that is not there', async () => {
    const one = 'CITIZEN-2025-000001';
    for (const ask of [
      (who: Actor) => who.ask(`/v1/citizens/${one}`),
      (who: Actor) => who.ask('/v1/citizens/CITIZEN-2020-999999'),
      (who: Actor) => who.ask('/v1/citizens/search?nin=CM000000000001'),
      (who: Actor) => who.post('/v1/citizens/register', { nin: 'CM000000000001' }),
    ]) {
      const account = await accountWith(1);
      expect((await ask(account)).status).not.toBe(429);
      expect((await ask(account)).status).toBe(429);
    }
    for (const query of [`{ node(id: "${one}") { id } }`, `{ nodes(ids: ["${one}"]) { id } }`]) {
      const account = await accountWith(0);
      expect((await graph(query, account.key)).errors[0].extensions.code).toBe('rate_limited');
    }
  });

  it('is exact for requests at the same moment', async () => {
    const account = await accountWith(7);
    const answers = await Promise.all(Array.from({ length: 20 }, () => list('?nin=CM000000000007', account)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(13);
  });

  it('is that of the pricing tier, from the next request on', async () => {
    const account = await accountWith(0);
    expect((await list('?nin=CM000000000007', account)).status).toBe(429);
    await rail.rows(sql`update integrator set pricing_tier = 'premium' where code = ${account.integrator}`);
    expect((await list('?nin=CM000000000007', account)).status).toBe(200);
  });
});

describe('going through the registry', () => {
  it('is an anomaly: many people looked up in a day, and few of them collected from', async () => {
    const [harvester, modest] = [await makeActor(rail), await makeActor(rail)];
    const seen = [
      ...Array.from({ length: 250 }, (_, index) => ({ integrator: harvester.integrator, citizen: `C-${index}` })),
      ...Array.from({ length: 50 }, (_, index) => ({ integrator: modest.integrator, citizen: `C-${index}` })),
    ];
    await rail.rows(sql`
      insert into citizen_access (id, at, citizen, purpose, caller, actor, integrator, request_id)
      select gen_random_uuid(), now(), citizen, 'lookup', 'key', integrator, integrator, 'r'
      from jsonb_to_recordset(${json(seen)}::jsonb) as s (integrator text, citizen text)`);
    const raised = () =>
      rail.rows<{ subject: string; evidence: object }>(
        sql`select subject, evidence from anomaly where kind = 'registry_harvest'`,
      );
    for (let runs = 0; runs < 2; runs++) await lookForAnomalies(callOf(rail.rail, actAsSystem('job'), 'search'));
    const day = rail.rail.now().toISOString().slice(0, 10);
    expect(await raised()).toMatchObject([
      {
        subject: `${harvester.integrator}:${day}`,
        evidence: { day, integrator: harvester.integrator, citizens: 250, assessments: 0 },
      },
    ]);
  });
});
