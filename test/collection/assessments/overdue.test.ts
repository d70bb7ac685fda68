import { beforeAll, describe, expect, it } from 'vitest';
import { listAssessments } from '../../../src/collection/assessments/find.ts';
import { announceOverdue } from '../../../src/collection/assessments/overdue.ts';
import { actAsSystem } from '../../../src/platform/access/viewer.ts';
import { type Call, type Rail, callOf } from '../../../src/platform/call/call.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { dayIn } from '../../../src/kernel/time.ts';
import { catchUp } from '../../harness/ledger.ts';
import {
  type Actor,
  createInitiated,
  createPendingFor,
  makeActor,
  serviceNamed,
  someCitizen,
} from '../../harness/flow.ts';
import { makeAgency } from '../../harness/people/agency.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { runChecks } from '../../../src/oversight/seals/verify.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
let actor: Actor;
let agency: Pick<Actor, 'ask' | 'post'>;
let citizen: string;
let service: string;

beforeAll(async () => {
  actor = await makeActor(rail);
  const key = await (await makeAgency(rail, 'URA', ['assessments.write', 'assessments.cancel'])).token();
  const ask: Actor['ask'] = (path, options = {}) => rail.ask(path, { key, ...options });
  agency = { ask, post: (path, body = {}) => ask(path, { body }) };
  [citizen, service] = [await someCitizen(rail), await serviceNamed(rail, 'URA-PAYE')];
});

/** The day that it is in Uganda, so many days from now. */
const day = (days: number) => dayIn(new Date(rail.rail.now().getTime() + days * 86_400_000), 'Africa/Kampala');
/** The first and the last moment of a day there, which is three hours ahead of UTC. */
const beginOf = (date: string) => new Date(`${date}T00:00:00.000+03:00`);
const endOf = (date: string) => new Date(`${date}T23:59:59.999+03:00`);
const callAt = (at: Date, more: Partial<Rail> = {}): Call =>
  callOf({ ...rail.rail, now: () => at, ...more }, actAsSystem('job:test'), 'r');
const announceAt = (at: Date) => announceOverdue(callAt(at));

const demand = async (due: string | null, more: object = {}): Promise<string> => {
  const body = { citizen, lines: [{ service }], assess: true, ...(due && { due_on: due }), ...more };
  return (await agency.post('/v1/assessments', body)).data.name;
};
const told = (names: readonly string[]) =>
  rail.rows<{ object: string }>(sql`
    select object, type, integrator, agency, sequence, payload ->> 'due_on' as due from outbox
    where object = any(${[...names]}) and type = 'assessment.overdue' order by object`);

describe('GET /v1/assessments?due_from=&due_to=&overdue=', () => {
  it('200: those that are to be paid within days, and those that are overdue', async () => {
    const [late, today, later, open] = [
      await demand(day(-1)),
      await demand(day(0)),
      await demand(day(9)),
      await demand(null),
    ];
    const names = async (query: string) => {
      const { data } = await agency.ask(`/v1/assessments?limit=200&${query}`);
      return (data as { name: string }[]).map(({ name }) => name).toReversed();
    };
    expect(await names(`due_from=${day(0)}`)).toEqual([today, later]);
    expect(await names(`due_to=${day(0)}`)).toEqual([late, today]);
    expect(await names(`due_from=${day(0)}&due_to=${day(0)}`)).toEqual([today]);
    expect(await names('overdue=true')).toEqual([late]);
    expect(await names('overdue=false')).toEqual([today, later, open]);
    const { json } = await agency.ask('/graphql', {
      body: { query: `{ assessments(overdue: true) { nodes { id dueOn } } citizen(id: "${citizen}") { id } }` },
    });
    expect(json.data?.assessments ?? json).toMatchObject({ nodes: [{ id: late, dueOn: day(-1) }] });
    await agency.post(`/v1/assessments/${late}:cancel`, { reason: 'Objection' });
    expect(await names('overdue=true')).toEqual([]);
  });

  it.each(['due_from=yesterday', 'due_to=2026-02-30', 'due_from=2026-13-01', 'overdue=perhaps', 'overdue=1'])(
    '422: %s',
    async (query) => {
      const { status, json } = await actor.ask(`/v1/assessments?${query}`);
      expect([status, json.error.details[0].path]).toEqual([422, query.split('=')[0]]);
    },
  );

  it('are overdue from midnight on by the clock of their agency', async () => {
    const name = await demand(day(3));
    const overdueAt = async (at: Date) => {
      const { rows } = await listAssessments(
        callAt(at),
        { overdue: true, dueFromDate: new Date(day(3)) },
        { first: 9 },
      );
      return rows.map((row) => row.name);
    };
    expect(await overdueAt(endOf(day(3)))).toEqual([]);
    expect(await overdueAt(beginOf(day(4)))).toEqual([name]);
  });
});

describe('assessment.overdue', () => {
  it('is sent once, on the day after, to the owner or the agency that made it', async () => {
    const due = day(20);
    const own = await demand(due);
    const { data } = await actor.post('/v1/assessments', { citizen, lines: [{ service }], assess: true });
    await rail.rows(sql`update assessment set due_on = ${due}::date where name = ${data.name}`);
    await announceAt(endOf(due));
    expect(await told([own, data.name])).toEqual([]);
    expect(await announceAt(beginOf(day(21)))).toBe(2);
    for (const at of [beginOf(day(21)), beginOf(day(60))]) await announceAt(at);
    const message = { type: 'assessment.overdue', sequence: 2, due };
    expect(await told([own, data.name])).toEqual([
      { object: own, ...message, integrator: null, agency: 'URA' },
      { object: data.name, ...message, integrator: actor.integrator, agency: null },
    ]);
    const [traced] = await rail.rows<{ summary: string[] }>(
      sql`select summary from trace_row where assessment = ${own} order by id desc limit 1`,
    );
    expect(traced!.summary).toEqual(['Overdue: it was to be paid by {0}', due]);
    await catchUp(rail);
    expect((await runChecks(rail.rail.db, [])).findings).toEqual([]);
  });

  it('is not sent of what was paid or cancelled before, is a Draft, or has no day', async () => {
    const due = day(30);
    const [paid, cancelled, draft, open] = [
      await demand(due),
      await demand(due),
      await demand(due, { assess: false }),
      await demand(null),
    ];
    const payer = await makeStaff(rail, 'admin', 'clerk');
    await rail.rows(
      sql`update assessment set integrator = ${actor.integrator}, source_mda = null where name = ${paid}`,
    );
    const intent = await createPendingFor(actor, paid);
    await createInitiated(actor, intent);
    await actor.post(`/v1/payment-intents/${intent}:confirm`);
    await agency.post(`/v1/assessments/${cancelled}:cancel`, { reason: 'Objection' });
    expect(payer.email).toBeTruthy();
    expect(await announceAt(beginOf(day(31)))).toBe(0);
    expect(await told([paid, cancelled, draft, open])).toEqual([]);
    // What was a Draft that day is overdue once it is assessed.
    await agency.post(`/v1/assessments/${draft}:assess`);
    expect(await announceAt(beginOf(day(31)))).toBe(1);
    expect((await told([draft])).length).toBe(1);
  });

  it('is sent once by two processes, and by a process that dies between batches', async () => {
    const due = day(40);
    const many = await rail.rows<{ name: string }>(sql`
      with made as (
        insert into assessment (name, citizen, status, currency, total_amount, line_count, due_on, source_mda, revision,
          assessed_at, created_at, updated_at)
        select 'ASMT-2026-11-' || 900000 + n, ${citizen}, 'Assessed', 'UGX', 450000, 1, ${due}::date, 'URA', 1, now(), now(), now()
        from generate_series(1, 450) n returning name
      ), lined as (
        insert into assessment_line (assessment, idx, service, service_name, mda, quantity, rate, amount)
        select name, 1, ${service}, 'Pay As You Earn', 'URA', 1, 450000, 450000 from made
      )
      select name from made`);
    const names = many.map(({ name }) => name);
    const at = beginOf(day(41));
    const dying = {
      note: () => {
        throw new Error('killed');
      },
    };
    await expect(announceOverdue(callAt(at, { work: dying as never }))).rejects.toThrow('killed');
    const before = (await told(names)).length;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(names.length);
    const counts = await Promise.all([announceAt(at), announceAt(at)]);
    expect(counts[0] + counts[1]).toBeLessThanOrEqual(names.length - before);
    await announceAt(at);
    expect((await told(names)).map(({ object }) => object)).toEqual(names.toSorted());
  });
});
