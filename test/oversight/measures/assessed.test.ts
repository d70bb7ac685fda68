import { describe, expect, it } from 'vitest';
import { remakeCopies } from '../../../src/platform/analytics/feed.ts';
import { type Sql, sql } from '../../../src/platform/database/sql.ts';
import { BEFORE_ALL, type Row, awaitCopy, pick, railWithHistory } from './asking.ts';

const { rail, ask, askByName, figures } = railWithHistory();
const FIGURES = ['assessments', 'assessed', 'paid', 'outstanding', 'cancelled'];
const SINCE = { fromDate: BEFORE_ALL };

/** Each line that was assessed, whose agency told of its month: plain SQL over the base tables. */
const lines = sql`
  select l.mda as "agencyId", l.service as "serviceId", a.name, a.citizen, a.currency, a.status, l.amount,
    to_char(a.assessed_at at time zone 'utc', 'YYYY-MM') as month,
    extract(epoch from a.paid_at - a.assessed_at)::float8 as seconds,
    (select i.channel::text from payment_intent i where i.assessment = a.name and i.status = 'Confirmed') as channel
  from assessment a join assessment_line l on l.assessment = a.name where a.assessed_at is not null`;
/** Sums in plain SQL by status; null for a status that few people have. */
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
    const answered = await figures('assessed', FIGURES, { by: ['agency', 'month'] });
    const [many, few] = [false, true].map((isFew) => expected.filter((row) => row['few'] === isFew));
    const members = ['agencyId', 'month', 'currency', ...FIGURES];
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

  it('by agency: what REST has of collections, by name and for two agencies too', async () => {
    const { data } = await rail.ask(`/v1/oversight/collections?from_date=${BEFORE_ALL}`, {
      key: (await rail.key('oversight.read')).plaintext,
    });
    const collections = (data as Row[]).map(({ mda, ...row }) => ({ agencyId: mda, ...row }));
    const members = ['agencyId', 'currency', ...FIGURES];
    expect(pick(await askByName('assessed-by-agency', SINCE), ...members)).toEqual(pick(collections, ...members));
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
    const answered = await figures('assessed', FIGURES, { by: ['service', 'month'] });
    const shown = answered.filter(({ assessed }) => assessed !== null);
    expect(shown.length).toBeGreaterThan(30);
    for (const row of shown) {
      const statuses = ['paid', 'outstanding', 'cancelled'].filter((status) => row[status] !== null);
      const truth = expected.get(`${String(row['serviceId'])} ${String(row['month'])}`)!;
      expect(pick([row], ...statuses)).toEqual(pick([truth], ...statuses));
      expect(Number(row['assessed'])).toBe(statuses.reduce((sum, status) => sum + Number(row[status]), 0));
    }
    expect(answered).toHaveLength(expected.size);
  });

  it('by sector, by country, and of all: the sums of the parts that it tells of', async () => {
    const of = async (by: readonly string[], slice = {}) => {
      const rows = await figures('assessed', ['assessed'], { by, slice });
      return rows.reduce((sum, { assessed }) => sum + Number(assessed ?? 0), 0);
    };
    expect(await of(['sector'])).toBe(await of(['service']));
    expect(await of(['family', 'sector'])).toBe(await of(['service', 'month']));
    expect(await of(['country'])).toBe(await of(['agency']));
    expect(await of([])).toBe(await of(['month']));
    const [service] = await rail.rows<{ name: string }>(
      sql`select service as name from assessment_line group by 1 order by count(*) desc, 1 limit 1`,
    );
    const slice = { service: [service!.name] };
    expect(await of([], slice)).toBe(await of(['service', 'month'], slice));
  });
});

describe('toPayment', () => {
  const TIMES = ['paidAssessments', 'p50', 'p90', 'p99'];
  const percentiles = sql`count(*)::int as "paidAssessments", count(distinct citizen)::int as people,
    round(percentile_cont(0.5) within group (order by seconds)::numeric, 3)::float8 as p50,
    round(percentile_cont(0.9) within group (order by seconds)::numeric, 3)::float8 as p90,
    round(percentile_cont(0.99) within group (order by seconds)::numeric, 3)::float8 as p99`;

  it('by agency and month: what plain SQL measures of the months in which at least 5 people paid', async () => {
    const expected = await rail.rows<Record<string, unknown>>(sql`
      select "agencyId", month, ${percentiles}
      from (select distinct "agencyId", month, name, citizen, seconds from (${lines}) l where seconds is not null) p
      group by 1, 2 having count(distinct citizen) >= 5`);
    const answered = await askByName('time-to-payment', { ...SINCE, groupBy: ['agency', 'month'] });
    const members = ['agencyId', 'month', ...TIMES];
    expect(
      pick(
        answered.filter(({ toPayment }) => toPayment !== null),
        ...members,
      ),
    ).toEqual(pick(expected, ...members));
    expect(expected.length).toBeGreaterThan(50);
  });

  it('by agency, channel and month: what plain SQL measures wherever it tells, the slowest first', async () => {
    const expected = await rail.rows<Record<string, unknown>>(sql`
      select "agencyId", channel, month, ${percentiles}
      from (select distinct "agencyId", channel, month, name, citizen, seconds from (${lines}) l
        where seconds is not null) p
      group by 1, 2, 3 having count(distinct citizen) >= 5`);
    const by = ['agency', 'channel', 'month'];
    const answered = await figures('toPayment', TIMES, { by, orderBy: 'p90' });
    const shown = answered.filter(({ p90 }) => p90 !== null);
    expect(shown.length).toBeGreaterThan(30);
    const nameOf = (row: Row) => ['agencyId', 'channel', 'month'].map((member) => String(row[member])).join(' ');
    const byName = new Map(expected.map((row) => [nameOf(row), row]));
    for (const row of shown) expect(pick([row], ...TIMES)).toEqual(pick([byName.get(nameOf(row))!], ...TIMES));
    const slowest = shown.map(({ p90 }) => Number(p90));
    expect(slowest).toEqual(slowest.toSorted((a, b) => b - a));
    // The name orders them alike.
    const named = await askByName('time-to-payment', { ...SINCE, groupBy: by, orderBy: [{ measure: 'p90' }] });
    expect(named.map(nameOf)).toEqual(answered.map(nameOf));
    const [whole] = await figures('toPayment', TIMES);
    expect(whole).toMatchObject({ currency: null, paidAssessments: expect.any(Number) });
    expect(Number(whole!['paidAssessments'])).toBeGreaterThan(1_000);
  });

  it('agree with what is asked of currencies, which are told apart only where that is asked for', async () => {
    await rail.rail.transaction(async (db) => {
      await db.rows(sql`set local session_replication_role = replica`);
      await db.rows(sql`
        update assessment set currency = 'KES' where status = 'Paid' and abs(hashtext(name)) % 10 < 4`);
      await remakeCopies(db);
    });
    await awaitCopy(rail);
    const [whole] = await figures('toPayment', TIMES);
    const byCurrency = await figures('toPayment', TIMES, { by: ['currency'] });
    const ofEach = await Promise.all(
      byCurrency.map(({ currency }) => figures('toPayment', TIMES, { slice: { currency: [currency] } })),
    );
    expect(pick(byCurrency, 'currency')).toEqual([{ currency: 'KES' }, { currency: 'UGX' }]);
    expect(pick(ofEach.flat(), ...TIMES)).toEqual(pick(byCurrency, ...TIMES));
    const paid = byCurrency.map((row) => Number(row['paidAssessments']));
    expect(paid.reduce((sum, one) => sum + one, 0)).toBe(whole!['paidAssessments']);
    // Next to amounts they are those of a currency.
    const inOneRow = await ask(
      `figures(span: { days: { fromDate: "${BEFORE_ALL}" } }, timeZone: UTC) { key { currency } assessed { paid } toPayment { ${TIMES.join(' ')} } }`,
    );
    expect(pick(inOneRow, 'currency', ...TIMES)).toEqual(pick(byCurrency, 'currency', ...TIMES));
  });
});

describe('unpaid', () => {
  it('by agency and age: what plain SQL adds up of the months of which at least 5 people owe something', async () => {
    const now = rail.rail.now();
    const expected = await rail.rows<Record<string, unknown>>(sql`
      with owed as (
        select l.mda, a.name, a.citizen, a.currency, date_trunc('month', a.assessed_at at time zone 'utc') as month,
          floor(extract(epoch from ${now}::timestamptz - date_trunc('month', a.assessed_at, 'utc')) / 86400) as days, sum(l.amount) as amount
        from assessment a join assessment_line l on l.assessment = a.name where a.status = 'Assessed' group by 1, 2
      )
      select mda as "agencyId", currency, case when days <= 7 then 'days_0_7' when days <= 30 then 'days_8_30'
          when days <= 90 then 'days_31_90' when days <= 365 then 'days_91_365' else 'days_over_365' end as age,
        count(*)::int as "unpaidAssessments", sum(amount) as "unpaidAmount"
      from owed join (
        select mda, currency, month from owed group by 1, 2, 3 having count(distinct citizen) >= 5
      ) told using (mda, currency, month) group by 1, 2, 3`);
    const members = ['agencyId', 'age', 'currency', 'unpaidAssessments', 'unpaidAmount'];
    const answered = await askByName('unpaid-by-age');
    const disclosed = answered.filter(({ unpaid }) => unpaid !== null);
    expect(pick(disclosed, ...members)).toEqual(pick(expected, ...members));
    expect(expected.length).toBeGreaterThan(3);
    expect(answered.length).toBeGreaterThan(disclosed.length);
    // From the youngest to the oldest of each agency, and the other way round.
    const bands = ['days_0_7', 'days_8_30', 'days_31_90', 'days_91_365', 'days_over_365'];
    const placesOf = (rows: readonly Row[]) => rows.map(({ age }) => bands.indexOf(String(age)));
    for (const of of Map.groupBy(
      answered,
      ({ agencyId, currency }) => `${String(agencyId)} ${String(currency)}`,
    ).values())
      expect(placesOf(of)).toEqual(placesOf(of).toSorted((a, b) => a - b));
    const oldest = await ask(
      'figures(by: [age], span: { preset: all_time }, orderBy: [{ dimension: age }]) { key { age } unpaid { unpaidAmount } }',
    );
    expect(placesOf(oldest)).toEqual(placesOf(oldest).toSorted((a, b) => b - a));
    expect(oldest.length).toBeGreaterThan(2);
    expect(pick(await figures('unpaid', members.slice(3), { by: ['agency', 'age'] }), ...members)).toEqual(
      pick(answered, ...members),
    );

    const listed = await askByName('unpaid-assessments', { first: 10_000 });
    // Expected rows of each month and agency: debts by size, in groups of five people, each with its smallest amount.
    const owed = await rail.rows<{ part: string; person: string; amount: string }>(sql`
      select concat_ws(' ', l.mda, a.currency, to_char(a.assessed_at at time zone 'utc', 'YYYY-MM-01')) as part, a.citizen as person, sum(l.amount) as amount
      from assessment a join assessment_line l on l.assessment = a.name where a.status = 'Assessed'
      group by a.name, l.mda order by sum(l.amount) desc`);
    const shown = Map.groupBy(listed, (row) => ['agencyId', 'currency', 'assessedOn'].map((of) => row[of]).join(' '));
    let shared = 0;
    for (const [part, rows] of Map.groupBy(owed, (row) => row.part)) {
      const people = new Set(rows.map(({ person }) => person)).size;
      if (people < 5) {
        expect(shown.get(part), part).toBeUndefined();
        continue;
      }
      const amounts = rows.map(({ amount }) => Number(amount));
      const given = shown
        .get(part)!
        .map(({ amount }) => Number(amount))
        .toSorted((a, b) => b - a);
      expect(given.length, part).toBe(amounts.length);
      for (const [place, amount] of given.entries()) expect(amount, part).toBeLessThanOrEqual(amounts[place]!);
      // It is the smallest of those that show it, to two digits.
      for (const [amount, sharing] of Map.groupBy(given, (one) => one)) {
        shared++;
        expect(sharing.length, part).toBeGreaterThanOrEqual(5);
        const least = amounts[given.lastIndexOf(amount)]!;
        const unit = 10 ** Math.max(0, String(Math.floor(least)).length - 2);
        expect(amount, part).toBe(Math.floor(least / unit) * unit);
      }
    }
    expect(shared).toBeGreaterThanOrEqual(shown.size);
    expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
    const days = listed.map((row) => Number(row['days']));
    expect(days).toEqual(days.toSorted((a, b) => b - a));
    expect(await askByName('unpaid-assessments', { age: ['days_0_7'], orderBy: 'largest', first: 3 })).toEqual(
      listed
        .filter(({ age }) => age === 'days_0_7')
        .toSorted((a, b) => Number(b['amount']) - Number(a['amount']))
        .slice(0, 3),
    );
    expect(await askByName('unpaid-assessments', { currency: 'UGX', first: 10_000 })).toEqual(listed);
    expect(await askByName('unpaid-assessments', { currency: ['KES'] })).toEqual([]);
  });
});
