import { beforeAll, expect, it } from 'vitest';
import { payDueRefunds } from '../../../src/collection/payments/refunds/paying/provider.ts';
import { actAsSystem } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { type Sql, raw, sql } from '../../../src/platform/database/sql.ts';
import {
  createConfirmed,
  createInitiated,
  createPendingFor,
  makeActor,
  serviceNamed,
  someCitizen,
} from '../../harness/flow.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { pick } from './asking.ts';

const rail = testRail();
let key: string;
let finance: StaffActor;

async function request(intent: string, what: object): Promise<string> {
  const answer = await finance.post('/v1/refunds', { intent, reason_code: 'overpaid', method: 'transfer', ...what });
  expect(answer.status, answer.text).toBe(200);
  return answer.data.name;
}

/** Records that the refund was paid, so many days after its request. */
async function pay(name: string, days = 0): Promise<void> {
  await rail.rows(sql`update refund set created_at = created_at - make_interval(days => ${days}) where name = ${name}`);
  const paid_on = rail.rail.now().toISOString().slice(0, 10);
  const { status, text } = await finance.post(`/v1/refunds/${name}:prove`, { reference: `FT-${name}`, paid_on });
  expect(status, text).toBe(200);
}

beforeAll(async () => {
  key = (await rail.key('oversight.read')).plaintext;
  const actor = await makeActor(rail);
  finance = await makeStaff(rail, 'finance_officer');
  // The copy is made before, and follows.
  await figures('agency');
  const [one, two] = [await createConfirmed(rail, actor), await createConfirmed(rail, actor)];
  await pay(await request(one.intent, { amount: 5_001 }), 3);
  await pay(await request(one.intent, { lines: [{ idx: 2 }], reason_code: 'not_delivered' }), 40);
  await request(one.intent, { amount: 1 });
  await pay(await request(two.intent, {}));
  // Two lines of one agency. A part is refunded before a cancellation, and another waits. The cancellation declines what waits, and
  // reverses the rest, which a refund of its own gives back.
  const lines = await Promise.all(['URA-PAYE', 'URA-MVTRANSFER'].map((code) => serviceNamed(rail, code)));
  const made = await actor.post('/v1/assessments', {
    citizen: await someCitizen(rail),
    lines: lines.map((service) => ({ service })),
    assess: true,
  });
  const assessment: string = made.data.name;
  const intent = await createPendingFor(actor, assessment);
  await createInitiated(actor, intent);
  await actor.post(`/v1/payment-intents/${intent}:confirm`);
  await pay(await request(intent, { lines: [{ idx: 1, amount: 7 }] }), 12);
  const waiting = await request(intent, { lines: [{ idx: 1, amount: 100_000 }] });
  await rail.rows(sql`update refund set status = 'Requested' where name = ${waiting}`);
  const cancelled = await actor.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Wrong' });
  expect(cancelled.status, cancelled.text).toBe(200);
  await rail.rows(sql`update refund set enquire_at = ${rail.rail.now()} where booked`);
  expect(await payDueRefunds(callOf(rail.rail, actAsSystem('job:refund'), 'test'))).toBe(1);
  await revenue('service');
});

async function ask(by: string, group: string): Promise<Record<string, unknown>[]> {
  const query = `{ oversight { figures(by: [${by}], timeZone: UTC) {
    nodes { key { currency agencyId serviceId refundReason refundMethod age month } ${group} } } } }`;
  const { json } = await rail.ask('/graphql', { key, body: { query } });
  expect(json.errors).toBeUndefined();
  return json.data.oversight.figures.nodes.map(({ key: of, ...groups }: Record<string, object>) =>
    Object.assign({}, of, ...Object.values(groups)),
  );
}
const figures = (by: string) => ask(by, 'refunds { refunds refunded daysToRefund }');
const revenue = (by: string) => ask(by, 'revenue { collected reversed net }');

/** Figures of refunds in plain SQL, in groups of what a column of a share says. */
const plain = (member: string, column: Sql, counted = sql`count(distinct (r.name, s.mda))`) =>
  rail.rows<Record<string, unknown>>(sql`
    select ${column} as ${raw(`"${member}"`)}, ${counted}::int as refunds, sum(s.amount) as refunded
    from refund r join refund_share s on s.refund = r.name left join assessment_line l on l.assessment = r.assessment and l.idx = s.idx
    where r.status = 'Done' group by 1`);

it.each([
  ['agency', 'agencyId', sql`s.mda`],
  ['refund_reason', 'refundReason', sql`r.reason_code`],
  ['refund_method', 'refundMethod', sql`r.method::text`],
  ['month', 'month', sql`to_char(r.done_at at time zone 'utc', 'YYYY-MM')`],
  [
    'age',
    'age',
    sql`case when r.done_at - r.created_at < interval '8 days' then 'days_0_7' when r.done_at - r.created_at < interval '31 days' then 'days_8_30' else 'days_31_90' end`,
  ],
])('count and add up refunds by %s as plain SQL does', async (by, member, column) => {
  const expected = pick(await plain(member, column), member, 'refunds', 'refunded');
  expect(expected.length).toBeGreaterThan(0);
  expect(pick(await figures(by), member, 'refunds', 'refunded')).toEqual(expected);
});

it('add up what each service gave back, and count a refund for each of its services', async () => {
  const expected = await plain('serviceId', sql`l.service`, sql`count(distinct (r.name, l.service))`);
  expect(expected).toHaveLength(3);
  const members = ['serviceId', 'refunds', 'refunded'] as const;
  expect(pick(await figures('service'), ...members)).toEqual(pick(expected, ...members));
});

it('say how many days refunds took on average', async () => {
  const [row] = await figures('');
  const [expected] = await rail.rows<{ days: number }>(sql`
    select avg(extract(epoch from r.done_at - r.created_at) / 86400)::float8 as days
    from (select distinct r.*, s.mda from refund r join refund_share s on s.refund = r.name where r.status = 'Done') r`);
  expect(row!['daysToRefund']).toBeCloseTo(expected!.days, 2);
  expect(expected!.days).toBeGreaterThan(5);
});

it('leave of each service what was paid for it less what went back, a cancellation included', async () => {
  const expected = await rail.rows<Record<string, unknown>>(sql`
    select service as "serviceId", sum(amount) as net from event_share group by 1`);
  expect(pick(await revenue('service'), 'serviceId', 'net')).toEqual(pick(expected, 'serviceId', 'net'));
  // What a refund was to give back when the payment was cancelled goes back with the rest.
  const left = await rail.rows(sql`
    select service, sum(amount)::int as amount from event_share where assessment in (select assessment from refund where booked)
    group by 1 having sum(amount) <> 0`);
  expect(left).toEqual([]);
});

it('are those of the copy after each change, without reading all of it again', async () => {
  await figures('agency');
  expect(await rail.rail.analytics.verify()).toEqual([]);
});
