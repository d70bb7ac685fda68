import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { DAY_MS, formatDay } from '../../src/kernel/time.ts';
import { expectMistake } from '../harness/people/counter.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../harness/people/staff.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

let [admin, manager]: StaffActor[] = [];
let made = 0;

const dayIn = (days: number) => formatDay(new Date(rail.rail.now().getTime() + days * DAY_MS));

async function raise(): Promise<string> {
  const name = `ANOM-2020-01-${String(++made).padStart(6, '0')}`;
  await rail.rows(sql`
    insert into anomaly (name, kind, mda, mdas, severity, status, subject, evidence, raised_at)
    values (${name}, 'seal_gap', 'URA', '{URA}', 'high', 'Open', ${name}, '{}', now())`);
  return name;
}

const send = (who: StaffActor, name: string, verb: string, body: object, headers?: Readonly<Record<string, string>>) =>
  who.post(`/v1/ops/anomalies/${name}:${verb}`, body, headers);

const ask = async (query: string) =>
  (await rail.ask('/graphql', { body: { query }, headers: { cookie: admin!.cookie } })).json.data;

const historyOf = async (name: string) =>
  (await ask(`{ node(id: "${name}") { ... on Anomaly { history { nodes { action actor before after reason } } } } }`))
    .node.history.nodes;

const listed = async (query: string) =>
  (await admin!.ask(`/v1/ops/anomalies?kind=seal_gap&limit=200&${query}`)).data.map(
    (one: { name: string }) => one.name,
  );

beforeAll(async () => {
  [admin, manager] = [await makeStaff(rail, 'admin'), await makeStaff(rail, 'system_manager')];
});

describe('POST /v1/ops/anomalies/{name}:assign', () => {
  it('200: to any operator, handed on and found by them; the history has whose it was', async () => {
    const name = await raise();
    const answer = await send(manager!, name, 'assign', { assignee: admin!.email.toUpperCase() });
    expect(answer.data).toMatchObject({ name, assignee: admin!.email, status: 'Open' });
    expect(await listed(`assignee=${admin!.email}`)).toEqual([name]);
    await send(admin!, name, 'assign', { assignee: manager!.email });
    expect(await listed(`assignee=${admin!.email}`)).toEqual([]);
    expect(await historyOf(name)).toEqual([
      {
        action: 'anomaly.assign',
        actor: admin!.email,
        before: { assignee: admin!.email },
        after: { assignee: manager!.email },
        reason: null,
      },
      expect.objectContaining({ actor: manager!.email, before: { assignee: null }, after: { assignee: admin!.email } }),
    ]);
    const { node } = await ask(`{ node(id: "${name}") { ... on Anomaly { assigneeId assignee { fullName } } } }`);
    expect(node).toEqual({ assigneeId: manager!.email, assignee: { fullName: 'A system_manager' } });
  });

  it('422: to nobody who could resolve it, such as an admin of one agency; nothing changes', async () => {
    const name = await raise();
    const others = [await makeStaff(rail, 'oversight'), await makeStaffOf(rail, ['URA'], 'admin')];
    for (const assignee of [...others.map(({ email }) => email), 'nobody@agency.example'])
      expectMistake(await send(admin!, name, 'assign', { assignee }), 'assignee');
    expectMistake(await send(admin!, name, 'assign', {}), 'assignee');
    expect(await historyOf(name)).toEqual([]);
  });

  it('is decided once by two at a time: each history entry says whose it was before', async () => {
    const name = await raise();
    const answers = await Promise.all(
      [admin!, manager!].map((who) => send(who, name, 'assign', { assignee: who.email })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [last, first] = await historyOf(name);
    expect(first.before.assignee).toBeNull();
    expect(last.before).toEqual(first.after);
  });
});

describe('POST /v1/ops/anomalies/{name}:comment', () => {
  it('200: adds to the history, of a resolved one too, and once under an idempotency key', async () => {
    const name = await raise();
    await send(admin!, name, 'resolve', { note: 'A test' });
    const key = { 'Idempotency-Key': `comment-${name}` };
    for (let times = 0; times < 2; times++)
      expect((await send(manager!, name, 'comment', { comment: ' They called back ' }, key)).status).toBe(200);
    expect(await historyOf(name)).toEqual([
      { action: 'anomaly.comment', actor: manager!.email, before: null, after: null, reason: 'They called back' },
      expect.objectContaining({ action: 'anomaly.resolve', reason: 'A test' }),
    ]);
  });

  it('422: without text; 404: on what does not exist', async () => {
    const name = await raise();
    expectMistake(await send(admin!, name, 'comment', { comment: ' ' }), 'comment');
    expectMistake(await send(admin!, name, 'comment', { comment: 'x'.repeat(1_001) }), 'comment');
    expect((await send(admin!, 'ANOM-2020-01-999999', 'comment', { comment: 'x' })).status).toBe(404);
    expect(await historyOf(name)).toEqual([]);
  });
});

describe('POST /v1/ops/anomalies/{name}:snooze', () => {
  const needingAttention = async (name: string) => ({
    listed: (await listed('snoozed=false')).includes(name),
    counted: (await admin!.ask('/v1/ops/overview')).data.open_anomalies.high,
    caused: (await ask('{ openCauses { anomalyKind count } }')).openCauses.find(
      (one: { anomalyKind: string }) => one.anomalyKind === 'seal_gap',
    )?.count,
  });

  it('200: leaves the list, counts and causes until the day, and is back on it', async () => {
    const name = await raise();
    const before = await needingAttention(name);
    const answer = await send(admin!, name, 'snooze', { until: dayIn(1), reason: 'The provider answers tomorrow' });
    expect(answer.data).toMatchObject({ status: 'Open', snoozed_until: dayIn(1) });
    expect(await needingAttention(name)).toEqual({
      listed: false,
      counted: before.counted - 1,
      caused: before.caused - 1,
    });
    expect(await listed('snoozed=true')).toEqual([name]);
    expect(await listed('')).toContain(name);
    // The day comes.
    await rail.rows(sql`update anomaly set snoozed_until = ${dayIn(0)}::date where name = ${name}`);
    expect(await needingAttention(name)).toEqual(before);
    expect((await ask(`{ node(id: "${name}") { ... on Anomaly { snoozedUntil } } }`)).node.snoozedUntil).toBeNull();
  });

  it('200: until today, it is back at once; resolved, it is snoozed no longer', async () => {
    const name = await raise();
    await send(admin!, name, 'snooze', { until: dayIn(90), reason: 'A' });
    expect((await send(admin!, name, 'snooze', { until: dayIn(0), reason: 'B' })).data.snoozed_until).toBeNull();
    await send(admin!, name, 'snooze', { until: dayIn(2), reason: 'C' });
    expect((await send(admin!, name, 'resolve', { note: 'D' })).data).toMatchObject({ snoozed_until: null });
    expect((await historyOf(name))[1]).toMatchObject({
      action: 'anomaly.snooze',
      before: { snoozed_until: dayIn(0) },
      after: { snoozed_until: dayIn(2) },
      reason: 'C',
    });
  });

  it('422: to a day that is over or too far, without a reason, or of what is resolved', async () => {
    const name = await raise();
    for (const until of [dayIn(-1), dayIn(91), 'soon'])
      expectMistake(await send(admin!, name, 'snooze', { until, reason: 'x' }), 'until');
    expectMistake(await send(admin!, name, 'snooze', { until: dayIn(1) }), 'reason');
    await send(admin!, name, 'resolve', { note: 'Done' });
    for (const [verb, body] of [
      ['snooze', { until: dayIn(1), reason: 'x' }],
      ['assign', { assignee: admin!.email }],
    ] as const)
      expect((await send(admin!, name, verb, body)).status).toBe(422);
    expect(await historyOf(name)).toHaveLength(1);
  });

  it('403: for those who read anomalies and resolve none', async () => {
    const [name, reader] = [await raise(), await makeStaff(rail, 'oversight')];
    for (const [verb, body] of [
      ['assign', { assignee: admin!.email }],
      ['comment', { comment: 'x' }],
      ['snooze', { until: dayIn(1), reason: 'x' }],
    ] as const)
      expect((await send(reader, name, verb, body)).status).toBe(403);
    expect(await historyOf(name)).toEqual([]);
  });
});
