import { describe, expect, it } from 'vitest';
import { FACTS, VIEWS } from '../../../src/oversight/facts/facts.ts';
import { remakeCopies } from '../../../src/platform/analytics/feed.ts';
import { type Sql, raw, sql } from '../../../src/platform/database/sql.ts';
import { closeShift, collectInShift, openShift } from '../../harness/people/counter.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { type Row, railWithHistory } from './asking.ts';

const { rail, ask } = railWithHistory({ events: 600, agencies: 8 });

const MONTH = sql`strftime(month, '%Y-%m')`;
const month = (moment: Sql) => sql`to_char(${moment} at time zone 'utc', 'YYYY-MM')`;
const assessed = sql`from assessment a join assessment_line l on l.assessment = a.name where a.assessed_at is not null`;
const milliseconds = sql`(extract(epoch from a.paid_at - a.assessed_at) * 1000)::float8`;

/** Queries on the copy's facts about people, with the same counts from the original tables. */
const COMPARED: Readonly<Record<string, readonly [copy: Sql, plain: Sql]>> = {
  assessed: [
    sql`select ${MONTH} as month, currency, mda, count(*) filter (where leads)::int as n, sum(amount) as amount,
        count(distinct person)::int as owing,
        count(distinct person) filter (where milliseconds is not null)::int as paying,
        count(distinct person) filter (where status = 'Assessed')::int as unpaid,
        count(distinct name)::int as listed
      from assessed group by 1, 2, 3 order by 1, 2, 3`,
    sql`select ${month(sql`a.assessed_at`)} as month, a.currency, l.mda, count(distinct a.name)::int as n,
        sum(l.amount) as amount, count(distinct a.citizen)::int as owing,
        count(distinct a.citizen) filter (where a.paid_at is not null)::int as paying,
        count(distinct a.citizen) filter (where a.status = 'Assessed')::int as unpaid,
        count(distinct a.name) filter (where a.status = 'Assessed')::int as listed
      ${assessed} group by 1, 2, 3 order by 1, 2, 3`,
  ],
  'assessed by service': [
    sql`select ${MONTH} as month, currency, mda, service, status, count(*)::int as n, count(distinct person)::int as owing
      from assessed group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
    sql`select ${month(sql`a.assessed_at`)} as month, a.currency, l.mda, l.service, a.status::text as status,
        count(distinct a.name)::int as n, count(distinct a.citizen)::int as owing
      ${assessed} group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
  ],
  times: [
    sql`select ${MONTH} as month, mda, channel, array_agg(milliseconds::float8 order by milliseconds) as times
      from assessed where leads and milliseconds is not null group by 1, 2, 3 order by 1, 2, 3`,
    sql`select month, mda, channel, array_agg(milliseconds order by milliseconds) as times from (
        select distinct ${month(sql`a.assessed_at`)} as month, l.mda, a.name, ${milliseconds} as milliseconds, coalesce((
          select i.channel::text from payment_intent i where i.assessment = a.name and i.status = 'Confirmed'), '') as channel
        ${assessed} and a.paid_at is not null
      ) p group by 1, 2, 3 order by 1, 2, 3`,
  ],
  attempts: [
    sql`select ${MONTH} as month, channel, mda, status, cause, count(*)::int as n, count(distinct person)::int as people
      from attempt group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
    sql`select ${month(sql`i.created_at`)} as month, i.channel::text, coalesce((
          select r.mda from split_rule r where r.intent = i.name order by r.amount desc, r.mda limit 1), '') as mda,
        i.status::text, case i.status when 'Failed' then failure_cause(i.failure_reason) when 'Expired' then 'expired'
          else '' end as cause, count(*)::int as n, count(distinct a.citizen)::int as people
      from payment_intent i join assessment a on a.name = i.assessment where i.status <> 'Pending'
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
  ],
  payers: [
    sql`select ${MONTH} as month, mda, count(distinct person)::int as people,
        count(distinct person) filter (where month = earliest)::int as first
      from (select *, min(month) over (partition by mda, person) as earliest from payer) p group by 1, 2 order by 1, 2`,
    sql`select month, mda, count(*)::int as people, count(*) filter (where month = earliest)::int as first
      from (
        select distinct ${month(sql`e.occurred_at`)} as month, e.mda, a.citizen,
          min(${month(sql`e.occurred_at`)}) over (partition by e.mda, a.citizen) as earliest
        from payment_event e join assessment a on a.name = e.assessment where e.kind = 'payment'
      ) q
      group by 1, 2 order by 1, 2`,
  ],
};

async function expectTrue(when: string): Promise<void> {
  for (const [what, [copy, plain]] of Object.entries(COMPARED)) {
    const expected = await rail.rows<object>(plain);
    expect(expected.length, what).toBeGreaterThan(4);
    expect(await rail.rail.analytics.rows<object>(copy), `${what}, ${when}`).toEqual(expected);
  }
}

/** Every row of every fact and materialized view. */
async function readFacts(): Promise<Record<string, object[]>> {
  await rail.rail.analytics.refresh();
  const all = [...FACTS, ...VIEWS].map(async ({ name }) => [
    name,
    await rail.rail.analytics.rows<object>(sql`select * from ${raw(name)} order by all`),
  ]);
  return Object.fromEntries(await Promise.all(all));
}

/** Unpaid assessments, whole in each order. Each page must be a piece of it. */
async function listUnpaid(): Promise<Record<string, Row[]>> {
  const orders = ['oldest', 'newest', 'largest'];
  const listed = orders.map(async (order) => {
    const page = (args: string) =>
      ask(`unpaidAssessments(orderBy: ${order}, ${args}) { id agencyId currency amount assessedOn }`);
    const whole = await page('first: 1000');
    expect(await page('first: 5, after: "3"'), order).toEqual(whole.slice(3, 8));
    expect(await page('last: 4'), order).toEqual(whole.slice(-4));
    return [order, whole] as const;
  });
  return Object.fromEntries(await Promise.all(listed));
}

describe('facts about people', () => {
  it('are those of the tables that they are made of, whatever changes in these, and list what is unpaid in its order', async () => {
    await expectTrue('after a history was written');
    // Some owe what the history has them pay.
    await rail.rows(sql`
      update assessment set status = 'Assessed', paid_at = null where name in (
        select name from assessment where status = 'Paid' order by name desc limit 150)`);
    await rail.rows(sql`delete from people_waiting`);
    const former = await readFacts();
    const expectFollowed = async () => {
      const followed = await readFacts();
      for (const { name } of VIEWS) expect(followed[name], name).not.toEqual(former[name]);
      await remakeCopies(rail.rail.db);
      expect(await readFacts()).toEqual(followed);
    };
    // Some pay, some are others than it was thought, some of another month; one collection failed after all.
    await rail.rows(sql`
      update assessment set status = 'Paid', paid_at = assessed_at + interval '3 days'
      where name in (select name from assessment where status = 'Assessed' order by name limit 10)`);
    await rail.rows(sql`
      update assessment set citizen = (select min(citizen) from assessment) where name in (
        select name from assessment order by md5(name) limit 60)`);
    await rail.rows(sql`
      update assessment set assessed_at = assessed_at - interval '40 days' where name in (
        select name from assessment order by md5(name) desc limit 30)`);
    await rail.rows(sql`
      update assessment set status = 'Assessed', paid_at = null, assessed_at = date_trunc('month', assessed_at) where name in (
        select l.assessment from assessment_line l join assessment a on a.name = l.assessment where a.status = 'Paid'
        order by l.mda, l.assessment limit 150)`);
    await rail.rows(sql`
      update payment_intent set failure_reason = 'WRONG_PIN' where name in (
        select name from payment_intent where status = 'Failed' order by name limit 3)`);
    await rail.rows(sql`
      update assessment set status = 'Draft', assessed_at = null where name = (
        select min(name) from assessment where status = 'Cancelled' and paid_at is null)`);
    await createConfirmed(rail, await makeActor(rail));
    const clerk = await makeStaff(rail, 'clerk');
    const shift = await openShift(clerk, { counter_label: 'Window 3' });
    await collectInShift(rail, clerk, shift);
    const other = await makeStaff(rail, 'clerk');
    await closeShift(other, await openShift(other), { cash_counted: 0 });
    // Changes of few people wait until there are more.
    expect(await rail.count(sql`select 1 from people_waiting`)).toBeGreaterThan(30);
    await expectFollowed();
    await rail.rows(sql`delete from people_waiting`);
    await expectTrue('after changes');
    await rail.rows(sql`update counter_shift set counter_label = 'Window 4' where name = ${shift}`);
    expect(
      await rail.rail.analytics.rows(sql`select distinct counter from payment where counter like '%Window 4'`),
    ).toEqual([{ counter: 'URA Window 4' }]);
    await expectFollowed();
    // Somebody who paid an agency for the first time of late turns out to have paid it in the first month.
    await rail.rows(sql`
      with paid as (select e.mda, e.occurred_at, a.name, a.citizen from payment_event e join assessment a on a.name = e.assessment),
        first as (select * from paid order by occurred_at limit 1)
      update assessment set citizen = (
        select citizen from paid where mda = (select mda from first) group by citizen order by min(occurred_at) desc limit 1)
      where name = (select name from first)`);
    await expectFollowed();
    const { oldest, newest, largest } = await listUnpaid();
    expect(oldest!.length).toBeGreaterThan(10);
    const ids = (rows: readonly Row[]) => new Set(rows.map(({ id }) => id));
    expect(ids(newest!)).toEqual(ids(oldest!));
    expect(ids(largest!)).toEqual(ids(oldest!));
    const amounts = largest!.map(({ amount }) => Number(amount));
    expect(amounts).toEqual(amounts.toSorted((a, b) => b - a));
  });
});
