import { describe, expect, it } from 'vitest';
import { foldPeople, sumPeople } from '../../../src/oversight/measures/people/fold.ts';
import { verifyLedger } from '../../../src/oversight/seals/verify.ts';
import { type Sql, sql } from '../../../src/platform/database/sql.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { BEFORE_ALL, type Row, railWithHistory } from './asking.ts';

const { rail, ask } = railWithHistory({ events: 600, agencies: 8 });

const sumsOf = (rows: Sql) => rail.rows<object>(rows);
/** What is stored and read of people, beside plain counts of distinct people. */
const COMPARED: Readonly<Record<string, readonly [stored: Sql, plain: Sql]>> = {
  assessed: [
    sql`select month::text, currency, mda, sum(assessments)::int as n, sum(amount) as amount, sum(owing_agency)::int as owing,
        sum(paying_agency)::int as paying, sum(unpaid_agency)::int as unpaid
      from oversight.assessed_sum group by 1, 2, 3 having sum(parts) <> 0 order by 1, 2, 3`,
    sql`select date_trunc('month', a.assessed_at at time zone 'utc')::date::text as month, a.currency, l.mda,
        count(distinct a.name)::int as n, sum(l.amount) as amount, count(distinct a.citizen)::int as owing,
        count(distinct a.citizen) filter (where a.paid_at is not null)::int as paying,
        count(distinct a.citizen) filter (where a.status = 'Assessed')::int as unpaid
      from assessment a join assessment_line l on l.assessment = a.name where a.assessed_at is not null
      group by 1, 2, 3 order by 1, 2, 3`,
  ],
  'assessed by service': [
    sql`select month::text, currency, mda, service, sum(parts)::int as n, sum(owing_service)::int as owing
      from oversight.assessed_sum group by 1, 2, 3, 4 having sum(parts) <> 0 order by 1, 2, 3, 4`,
    sql`select date_trunc('month', a.assessed_at at time zone 'utc')::date::text as month, a.currency, l.mda, l.service,
        count(distinct a.name)::int as n, count(distinct a.citizen)::int as owing
      from assessment a join assessment_line l on l.assessment = a.name where a.assessed_at is not null
      group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  ],
  agencies: [
    sql`select month::text, currency, mda, channel, status::text, sum(assessments)::int as n, sum(parts)::int as parts, sum(amount) as amount,
        sum(owing_agency)::int as owing, sum(paying_agency)::int as paying, sum(unpaid_agency)::int as unpaid,
        sum(timed_agency)::int as timed, sum(timed_channel)::int as "timedByChannel"
      from oversight.assessed_agency_sum group by 1, 2, 3, 4, 5 having sum(parts) <> 0 order by 1, 2, 3, 4, 5`,
    sql`select month::text, currency, mda, channel, status::text, count(*) filter (where leads)::int as n, count(*)::int as parts,
        sum(amount) as amount, count(*) filter (where owing_agency)::int as owing,
        count(*) filter (where paying_agency)::int as paying, count(*) filter (where unpaid_agency)::int as unpaid,
        count(*) filter (where timed_agency)::int as timed, count(*) filter (where timed_channel)::int as "timedByChannel"
      from assessed_live group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
  ],
  unpaid: [
    sql`select month::text, currency, mda, assessed_at, amount from oversight.assessed_unpaid u
      where not exists (select from oversight.person_waiting w where w.person = u.person)
      union all
      select month::text, currency, mda, assessed_at, sum(amount) from oversight.assessed_waiting where status = 'Assessed'
      group by 1, 2, 3, 4, name order by 1, 2, 3, 4, 5`,
    sql`select date_trunc('month', a.assessed_at at time zone 'utc')::date::text as month, a.currency, l.mda, a.assessed_at,
        sum(l.amount) as amount
      from assessment a join assessment_line l on l.assessment = a.name where a.status = 'Assessed'
      group by 1, 2, 3, 4, a.name order by 1, 2, 3, 4, 5`,
  ],
  times: [
    sql`select month::text, currency, mda, channel, seconds from oversight.assessed_times where cardinality(seconds) > 0
      order by 1, 2, 3, 4`,
    sql`select month, currency, mda, channel, array_agg(seconds order by seconds) as seconds from (
        select distinct date_trunc('month', a.assessed_at at time zone 'utc')::date::text as month, a.currency, l.mda, a.name,
          coalesce((select i.channel::text from payment_intent i where i.assessment = a.name and i.status = 'Confirmed'), '')
            as channel, extract(epoch from a.paid_at - a.assessed_at)::float8 as seconds
        from assessment a join assessment_line l on l.assessment = a.name
        where a.assessed_at is not null and a.paid_at is not null
      ) p group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  ],
  attempts: [
    sql`select month::text, channel, status::text, sum(attempts)::int as n from oversight.attempt_sum
      group by 1, 2, 3 having sum(attempts) <> 0 order by 1, 2, 3`,
    sql`select date_trunc('month', created_at at time zone 'utc')::date::text as month, channel::text, status::text,
        count(*)::int as n
      from payment_intent where status <> 'Pending' group by 1, 2, 3 order by 1, 2, 3`,
  ],
  'people who attempted': [
    sql`select month::text, channel, sum(trying_channel)::int as people from oversight.attempt_sum
      group by 1, 2 having sum(attempts) <> 0 order by 1, 2`,
    sql`select date_trunc('month', i.created_at at time zone 'utc')::date::text as month, i.channel::text,
        count(distinct a.citizen)::int as people
      from payment_intent i join assessment a on a.name = i.assessment where i.status <> 'Pending'
      group by 1, 2 order by 1, 2`,
  ],
  payers: [
    sql`select month::text, mda, sum(people)::int as people, sum(first)::int as first from oversight.payer_sum
      group by 1, 2 having sum(people) <> 0 order by 1, 2`,
    sql`select month::date::text, mda, count(*)::int as people, count(*) filter (where month = earliest)::int as first
      from (
        select distinct date_trunc('month', e.occurred_at at time zone 'utc') as month, e.mda, a.citizen,
          min(date_trunc('month', e.occurred_at at time zone 'utc')) over (partition by e.mda, a.citizen) as earliest
        from payment_event e join assessment a on a.name = e.assessment where e.kind = 'payment'
      ) q
      group by 1, 2 order by 1, 2`,
  ],
};

async function expectSame(when: string): Promise<void> {
  for (const [what, [stored, plain]] of Object.entries(COMPARED))
    expect(await sumsOf(stored), `${what}, ${when}`).toEqual(await sumsOf(plain));
}

/** What is unpaid, in each order as a whole, of which each page is a piece. */
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

const waiting = () => rail.count(sql`select 1 from person_tail`);

describe('sums of figures about people', () => {
  it('are exact while changes wait, while some are added up, and after all are', async () => {
    expect(await waiting()).toBe(0);
    await expectSame('after a history was written');
    const collections = () =>
      ask(`collections(fromDate: "${BEFORE_ALL}") { agencyId assessments paid secondsP50 secondsP99 }`);
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
    await createConfirmed(rail, await makeActor(rail));
    expect(await waiting()).toBeGreaterThan(100);
    await expectSame('waiting');
    const exact = await collections();
    const unpaid = await listUnpaid();
    expect(unpaid.oldest!.length).toBeGreaterThan(10);
    // Another process is at it: nothing is taken, and nothing waits for it.
    await rail.rail.transaction(async (db) => {
      await db.rows(sql`select pg_advisory_xact_lock(7283008)`);
      expect(await foldPeople(rail.rail)).toBe(0);
    });
    expect(await foldPeople(rail.rail, 40)).toBe(40);
    expect(await waiting()).toBeGreaterThan(0);
    await expectSame('some of it added up');
    expect(await collections()).toEqual(exact);
    expect(await listUnpaid()).toEqual(unpaid);
    while ((await foldPeople(rail.rail)) > 0);
    expect(await waiting()).toBe(0);
    await expectSame('all of it added up');
    expect(await collections()).toEqual(exact);
    expect(await listUnpaid()).toEqual(unpaid);
  });

  it('are the same made anew', async () => {
    await rail.rows(sql`update assessment set status = status where name = (select min(name) from assessment)`);
    await rail.rail.transaction(sumPeople);
    await expectSame('made anew');
  });

  it('are made anew where most of what there is has changed, and not for what is a little of it', async () => {
    const factsOf = (count: number) =>
      rail.rows(sql`update pg_class set reltuples = ${count} where oid = 'assessed_fact'::regclass`);
    await rail.rows(sql`
      insert into person_tail (citizen, month)
      select citizen, date_trunc('month', assessed_at)::date from (select * from assessment where assessed_at is not null limit 1) a,
        generate_series(1, 50_001)`);
    await factsOf(501_000);
    expect(await foldPeople(rail.rail, 40)).toBe(40);
    expect(await waiting()).toBe(49_961);
    await factsOf(500_000);
    await rail.rows(sql`insert into person_tail (citizen, month) select citizen, month from person_tail limit 40`);
    expect(await foldPeople(rail.rail, 40)).toBe(40);
    expect(await waiting()).toBe(0);
    await expectSame('made anew for many');
  });

  it('are verified with the ledger', async () => {
    const found = async () =>
      (await verifyLedger(rail.rail)).findings
        .map(({ check }) => check)
        .filter((check) => /_sum|_times|_unpaid/.test(check));
    expect(await found()).toEqual([]);
    await rail.rows(sql`
      update assessed_sum set amount = amount + 1 where ctid = (select min(ctid) from assessed_sum where parts > 0)`);
    await rail.rows(sql`
      update payer_sum set first = first + 1 where (month, mda) = (select month, mda from payer_sum limit 1)`);
    await rail.rows(sql`
      update assessed_times set seconds[1] = seconds[1] - 0.001 where ctid = (
        select min(ctid) from assessed_times where cardinality(seconds) > 1)`);
    await rail.rows(sql`
      update assessed_agency_sum set timed_channel = timed_channel + 1 where ctid = (
        select min(ctid) from assessed_agency_sum where parts > 0)`);
    await rail.rows(sql`
      update assessed_unpaid set amount = amount + 1 where ctid = (select min(ctid) from assessed_unpaid)`);
    expect(await found()).toEqual([
      'assessed_sum',
      'assessed_agency_sum',
      'assessed_unpaid',
      'assessed_times',
      'payer_sum',
    ]);
    await rail.rail.transaction(sumPeople);
    expect(await found()).toEqual([]);
  });
});
