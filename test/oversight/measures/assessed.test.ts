import { describe, expect, it } from 'vitest';
import { type Sql, sql } from '../../../src/platform/database/sql.ts';
import { BEFORE_ALL, pick, railWithHistory } from './asking.ts';

const { rail, ask, askByName } = railWithHistory();
const FIGURES = ['currency', 'assessments', 'assessed', 'paid', 'outstanding', 'cancelled'];
const SINCE = { fromDate: BEFORE_ALL };

/** Each line that was assessed, whose agency told of its month: plain SQL over the base tables. */
const lines = sql`
  select l.mda as "agencyId", l.service as "serviceId", a.name, a.citizen, a.currency, a.status, l.amount,
    to_char(a.assessed_at at time zone 'utc', 'YYYY-MM') as month,
    extract(epoch from a.paid_at - a.assessed_at)::float8 as seconds,
    (select i.channel::text from payment_intent i where i.assessment = a.name and i.status = 'Confirmed') as channel
  from assessment a join assessment_line l on l.assessment = a.name where a.assessed_at is not null`;
/** What plain SQL adds up of each status that enough people have; null of one that few have. */
const amountOf = (status: string) => sql`
  case when not coalesce(bool_or(few) filter (where status = ${status}), false)
    then coalesce(sum(amount) filter (where status = ${status}), 0) end`;
const sumBy = (groups: Sql) => sql`
  select ${groups}, currency, sum(assessments) filter (where not few)::int as assessments, sum(amount) filter (where not few) as assessed,
    ${amountOf('Paid')} as paid, ${amountOf('Assessed')} as outstanding, ${amountOf('Cancelled')} as cancelled, bool_and(few) as few
  from (
    select ${groups}, currency, status, count(distinct name) as assessments, sum(amount) as amount, count(distinct citizen) < 5 as few
    from (${lines}) l group by ${groups}, currency, status
  ) s group by ${groups}, currency`;

describe('assessed', () => {
  it('by agency and month: what plain SQL adds up of the months of at least 5 people', async () => {
    const expected = await rail.rows<Record<string, unknown>>(sumBy(sql`"agencyId", month`));
    const answered = await ask(
      `assessed(fromDate: "${BEFORE_ALL}", groupBy: [agency, month]) { agencyId month ${FIGURES.join(' ')} }`,
    );
    const [many, few] = [false, true].map((isFew) => expected.filter((row) => row['few'] === isFew));
    const members = ['agencyId', 'month', ...FIGURES];
    expect(
      pick(
        answered.filter(({ assessed }) => assessed !== null),
        ...members,
      ),
    ).toEqual(pick(many!, ...members));
    expect(
      pick(
        answered.filter(({ assessed }) => assessed === null),
        'agencyId',
        'month',
      ),
    ).toEqual(pick(few!, 'agencyId', 'month'));
    expect(many!.length).toBeGreaterThan(50);
    expect(few!.length).toBeGreaterThan(2);
  });

  it('by agency: as collections have it, by name and for two agencies too', async () => {
    const collections = await ask(`collections(fromDate: "${BEFORE_ALL}") { agencyId ${FIGURES.join(' ')} }`);
    expect(pick(await askByName('assessed-by-agency', SINCE), 'agencyId', ...FIGURES)).toEqual(
      pick(collections, 'agencyId', ...FIGURES),
    );
    const two = await askByName('assessed-by-agency', { ...SINCE, agency: ['URA', 'KCCA'] });
    expect(pick(two, 'agencyId')).toEqual([{ agencyId: 'KCCA' }, { agencyId: 'URA' }]);
    const owed = (await askByName('assessed-by-agency', SINCE)).flatMap((row) => row['outstanding'] ?? []).map(Number);
    expect(owed.length).toBeGreaterThan(1);
    expect(owed).toEqual(owed.toSorted((a, b) => b - a));
  });

  it('by service and month: what plain SQL adds up wherever it tells', async () => {
    const expected = new Map(
      (await rail.rows<Record<string, unknown>>(sumBy(sql`"agencyId", "serviceId", month`))).map((row) => [
        `${String(row['serviceId'])} ${String(row['month'])}`,
        row,
      ]),
    );
    const answered = await ask(
      `assessed(fromDate: "${BEFORE_ALL}", groupBy: [service, month]) { serviceId month ${FIGURES.join(' ')} }`,
    );
    const told = answered.filter(({ assessed }) => assessed !== null);
    expect(told.length).toBeGreaterThan(30);
    for (const row of told) {
      const statuses = ['paid', 'outstanding', 'cancelled'].filter((status) => row[status] !== null);
      const truth = expected.get(`${String(row['serviceId'])} ${String(row['month'])}`)!;
      expect(pick([row], ...statuses)).toEqual(pick([truth], ...statuses));
      expect(Number(row['assessed'])).toBe(statuses.reduce((sum, status) => sum + Number(row[status]), 0));
    }
    expect(answered).toHaveLength(expected.size);
  });

  it('by sector, by country, and of all: the sums of the parts that it tells of', async () => {
    const add = (rows: readonly Record<string, unknown>[]) =>
      rows.reduce((sum, { assessed }) => sum + Number(assessed ?? 0), 0);
    const of = async (args: string) => add(await ask(`assessed(fromDate: "${BEFORE_ALL}", ${args}) { assessed }`));
    expect(await of('groupBy: [sector]')).toBe(await of('groupBy: [service]'));
    expect(await of('groupBy: [family, sector]')).toBe(await of('groupBy: [service, month]'));
    expect(await of('groupBy: [country]')).toBe(await of('groupBy: [agency]'));
    expect(await of('first: 1')).toBe(await of('groupBy: [month]'));
    const [service] = await rail.rows<{ name: string }>(
      sql`select service as name from assessment_line group by 1 order by count(*) desc, 1 limit 1`,
    );
    expect(await of(`service: "${service!.name}"`)).toBe(
      await of(`groupBy: [service, month], service: "${service!.name}"`),
    );
  });
});

describe('paymentTimes', () => {
  const TIMES = ['payments', 'secondsP50', 'secondsP90', 'secondsP99'];
  const percentiles = sql`count(*)::int as payments, count(distinct citizen)::int as people,
    round(percentile_cont(0.5) within group (order by seconds)::numeric, 3)::float8 as "secondsP50",
    round(percentile_cont(0.9) within group (order by seconds)::numeric, 3)::float8 as "secondsP90",
    round(percentile_cont(0.99) within group (order by seconds)::numeric, 3)::float8 as "secondsP99"`;

  it('by agency and month: what plain SQL measures of the months in which at least 5 people paid', async () => {
    const expected = await rail.rows<Record<string, unknown>>(sql`
      select "agencyId", month, ${percentiles}
      from (select distinct "agencyId", month, name, citizen, seconds from (${lines}) l where seconds is not null) p
      group by 1, 2 having count(distinct citizen) >= 5`);
    const answered = await askByName('time-to-payment', { ...SINCE, groupBy: ['agency', 'month'] });
    const members = ['agencyId', 'month', ...TIMES];
    expect(
      pick(
        answered.filter(({ payments }) => payments !== null),
        ...members,
      ),
    ).toEqual(pick(expected, ...members));
    expect(expected.length).toBeGreaterThan(50);
  });

  it('by channel and service: what plain SQL measures wherever it tells, the slowest first', async () => {
    const expected = await rail.rows<Record<string, unknown>>(sql`
      select "agencyId", channel, month, ${percentiles}
      from (select distinct "agencyId", channel, month, name, citizen, seconds from (${lines}) l
        where seconds is not null) p
      group by 1, 2, 3 having count(distinct citizen) >= 5`);
    const answered = await ask(
      `paymentTimes(fromDate: "${BEFORE_ALL}", groupBy: [agency, channel, month], orderBy: p90) {
        agencyId channel month ${TIMES.join(' ')} }`,
    );
    const told = answered.filter(({ payments }) => payments !== null);
    expect(told.length).toBeGreaterThan(30);
    const nameOf = (row: Record<string, unknown>) =>
      `${String(row['agencyId'])} ${String(row['channel'])} ${String(row['month'])}`;
    const byName = new Map(expected.map((row) => [nameOf(row), row]));
    for (const row of told) expect(pick([row], ...TIMES)).toEqual(pick([byName.get(nameOf(row))!], ...TIMES));
    const slowest = told.map(({ secondsP90 }) => Number(secondsP90));
    expect(slowest).toEqual(slowest.toSorted((a, b) => b - a));
    // What is asked for alone is the same, in the order of what is not.
    const half = await ask(
      `paymentTimes(fromDate: "${BEFORE_ALL}", groupBy: [agency, channel, month], orderBy: p90) { agencyId channel month secondsP50 }`,
    );
    expect(half.map(nameOf)).toEqual(answered.map(nameOf));
    expect(pick(half, 'secondsP50')).toEqual(pick(answered, 'secondsP50'));
    const [whole] = await ask(`paymentTimes(fromDate: "${BEFORE_ALL}", groupBy: []) { payments secondsP50 }`);
    expect(Number(whole!['payments'])).toBeGreaterThan(1_000);
    expect(
      await ask(`paymentTimes(fromDate: "${BEFORE_ALL}", groupBy: [service], first: 3) { payments }`),
    ).toHaveLength(3);
  });
});

describe('unpaid', () => {
  it('by agency and age: what plain SQL adds up of the months of which at least 5 people owe something', async () => {
    const now = rail.rail.now();
    const expected = await rail.rows<Record<string, unknown>>(sql`
      with owed as (
        select l.mda, a.name, a.citizen, a.currency, date_trunc('month', a.assessed_at at time zone 'utc') as month,
          floor(extract(epoch from ${now}::timestamptz - a.assessed_at) / 86400) as days, sum(l.amount) as amount
        from assessment a join assessment_line l on l.assessment = a.name where a.status = 'Assessed' group by 1, 2
      )
      select mda as "agencyId", currency, case when days <= 7 then 'days_0_7' when days <= 30 then 'days_8_30'
          when days <= 90 then 'days_31_90' when days <= 365 then 'days_91_365' else 'days_over_365' end as age,
        count(*)::int as assessments, sum(amount) as amount
      from owed join (
        select mda, currency, month from owed group by 1, 2, 3 having count(distinct citizen) >= 5
      ) told using (mda, currency, month) group by 1, 2, 3`);
    const members = ['agencyId', 'age', 'currency', 'assessments', 'amount'];
    const answered = await askByName('unpaid-by-age');
    const told = answered.filter(({ amount }) => amount !== null);
    expect(pick(told, ...members)).toEqual(pick(expected, ...members));
    expect(expected.length).toBeGreaterThan(3);
    expect(answered.length).toBeGreaterThan(told.length);

    const listed = await askByName('unpaid-assessments', { first: 10_000 });
    const listedSums = new Map<string, number>();
    for (const { agencyId, age, currency, amount } of listed) {
      const group = `${String(agencyId)} ${String(age)} ${String(currency)}`;
      listedSums.set(group, (listedSums.get(group) ?? 0) + Number(amount));
    }
    expect(listedSums).toEqual(
      new Map(
        told.map((row) => [
          `${String(row['agencyId'])} ${String(row['age'])} ${String(row['currency'])}`,
          Number(row['amount']),
        ]),
      ),
    );
    expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
    const days = listed.map((row) => Number(row['days']));
    expect(days).toEqual(days.toSorted((a, b) => b - a));
    expect(await askByName('unpaid-assessments', { age: ['days_0_7'], orderBy: 'largest', first: 3 })).toEqual(
      listed
        .filter(({ age }) => age === 'days_0_7')
        .toSorted((a, b) => Number(b['amount']) - Number(a['amount']))
        .slice(0, 3),
    );
  });
});
