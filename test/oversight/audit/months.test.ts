import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
let key: string;

const SPANS = ['2026-03-01 2026-06-30', '2026-03-17 2026-05-16', '2026-04-30 2026-05-01'];

type Row = Readonly<Record<string, unknown>>;
type Answers = Record<'kinds' | 'shifts', Row[]>;

/** Answers about shifts and anomalies by month, for each of the spans. */
function answersOf(): Promise<Answers[]> {
  return Promise.all(
    SPANS.map(async (span) => {
      const [fromDate, toDate] = span.split(' ');
      const figures = (name: string, by: string, slice: string, selected: string) =>
        `${name}: figures(by: [${by}], span: { days: { fromDate: "${fromDate}", toDate: "${toDate}" } }, timeZone: UTC, first: 100,
          slice: { ${slice} }) { nodes { key { anomaly severity age agencyId counter { label } currency } ${selected} } }`;
      const tally = (name: string, by: string, slice = 'status: [Open]') =>
        figures(name, by, slice, 'anomalies { count: anomalies oldest newest }');
      const query = `{ oversight {
        ${figures('counters', 'agency, counter', '', 'variances { variances material unresolved materialShortage materialSurplus } shifts { mostByOneClerk }')}
        ${figures(
          'shifts',
          'agency',
          '',
          `shifts { shifts withVariance expectedCash variance meanVariance standardDeviation
          largestShortage largestSurplus pending approved rejected escalated }`,
        )}
        ${tally('kinds', 'anomaly, severity')} ${tally('ages', 'age')} ${tally('each', 'agency, anomaly, age', 'status: [Resolved]')}
        ${tally('one', 'severity', 'agency: ["URA"]')} ${tally('some', 'anomaly', 'agency: ["URA", "KCCA"]')} } }`;
      const { json } = await rail.ask('/graphql', { key, body: { query } });
      if (json.errors) throw new Error(JSON.stringify(json.errors));
      return mapValues(json.data.oversight) as Answers;
    }),
  );
}

/** The rows of each answer, with their keys and figures beside one another. */
function mapValues(answers: Readonly<Record<string, { nodes: { key: object }[] }>>): Record<string, Row[]> {
  return Object.fromEntries(
    Object.entries(answers).map(([name, { nodes }]) => [
      name,
      nodes.map(({ key: of, ...figures }) => Object.assign({ ...of }, ...Object.values(figures)) as Row),
    ]),
  );
}

beforeAll(async () => {
  key = (await rail.key('oversight.read')).plaintext;
  await rail.rows(sql`
    insert into counter_shift (name, mda, clerk, counter_label, status, currency, opening_float, cash_counted, variance,
      variance_reason, variance_status, opened_at, closed_at, created_at, updated_at)
    select 'SHIFT-2026-03-01-' || (1000 + i), (array['URA', 'KCCA', 'MOH'])[1 + i % 3], 'clerk' || (i * 7 % 13) || '@example.com',
      'Window ' || (i / 3 % 4), 'Closed', case when i % 11 = 0 then 'USD' else 'UGX' end, 1000, 1000 + v, v,
      case when v <> 0 then 'x' end, case when v <> 0 then (array['Pending', 'Approved'])[1 + i % 2] end::variance_status, at, at, at, at
    from generate_series(1, 600) i cross join lateral (
      select (case when i % 4 = 0 then (i * 31 % 19 - 9) * 25 else 0 end)::numeric as v,
        '2026-03-01'::timestamptz + i * interval '4 hours 53 minutes' as at) s`);
  await rail.rows(sql`
    insert into anomaly (name, kind, mda, mdas, severity, status, subject, evidence, raised_at)
    select 'ANM-2026-03-01-' || (1000 + i), case when i % 5 = 0 then 'cash_variance' else 'reversal' end, m[1], m,
      (array['low', 'medium', 'high'])[1 + i % 3], 'Open', 'SHIFT-2026-03-01-' || (1000 + i), '{}',
      '2026-03-01'::timestamptz + i * interval '5 hours 1 minute'
    from generate_series(1, 580) i cross join lateral (
      select case i % 4 when 0 then '{}' when 1 then '{URA}' when 2 then '{KCCA,URA}' else '{MOH}' end::text[] as m) s`);
});

/** Expects of the second span what plain SQL counts. */
async function expectPlain(answers: readonly Answers[]): Promise<void> {
  const [from, to] = SPANS[1]!.split(' ');
  const [tally, shifts] = await Promise.all([
    rail.rows(sql`
      select kind as anomaly, severity, count(*)::int as count from anomaly
      where status = 'Open' and raised_at >= ${from}::date and raised_at < ${to}::date + 1 group by 1, 2 order by 1, 2`),
    rail.rows(sql`
      with told as (
        select *, date_trunc('month', closed_at at time zone 'utc') as month from counter_shift
        where closed_at >= '2026-03-01' and closed_at < '2026-06-01'
          and (mda, currency, date_trunc('month', closed_at at time zone 'utc')) in (
            select mda, currency, date_trunc('month', closed_at at time zone 'utc') from counter_shift
            group by 1, 2, 3 having count(distinct clerk) >= 5)
      )
      select mda as "agencyId", currency, count(*)::int as shifts, sum(variance)::float8 as variance,
        round(avg(variance), 2)::float8 as "meanVariance", round(stddev_samp(variance), 2)::float8 as "standardDeviation",
        count(*) filter (where variance_status = 'Approved')::int as approved,
        count(*) filter (where variance_status = 'Rejected')::int as rejected
      from told where currency = 'USD' group by 1, 2 order by 1, 2`),
  ]);
  const largest = await rail.rows<{ agencyId: string; largestShortage: number | null }>(sql`
    select mda as "agencyId", (-min(lowest) filter (where short >= 5 and lowest < 0))::float8 as "largestShortage",
      (max(highest) filter (where over >= 5 and highest > 0))::float8 as "largestSurplus"
    from (
      select mda, count(distinct clerk) as clerks, count(distinct clerk) filter (where variance < 0) as short,
        count(distinct clerk) filter (where variance > 0) as over, min(variance) as lowest, max(variance) as highest
      from counter_shift where currency = 'UGX' and closed_at >= '2026-03-01' and closed_at < '2026-06-01'
      group by mda, date_trunc('month', closed_at at time zone 'utc')
    ) m where clerks >= 5 group by mda`);
  const { kinds, shifts: figures } = answers[1]!;
  expect(largest.some(({ largestShortage }) => largestShortage !== null)).toBe(true);
  for (const row of largest)
    expect(figures.find((one) => one['agencyId'] === row.agencyId && one['currency'] === 'UGX')).toMatchObject(row);
  const ordered = kinds.map(({ anomaly, severity, count }) => ({ anomaly, severity, count }));
  expect(ordered.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))).toEqual(tally);
  expect(shifts.length).toBeGreaterThan(0);
  for (const row of shifts as { agencyId: string }[])
    expect(figures.find((one) => one.agencyId === row.agencyId && one.currency === 'USD')).toMatchObject(row);
}

describe('shifts and anomalies of months', () => {
  it('are as plain SQL counts them', async () => {
    await expectPlain(await answersOf());
  });

  it('follow what becomes of them later', async () => {
    const before = await answersOf();
    await rail.rows(sql`
      update counter_shift set variance_status = 'Rejected', variance_decided_by = 'super@example.com', variance_decided_at = now()
      where variance <> 0 and name like '%4'`);
    await rail.rows(sql`update counter_shift set closed_at = closed_at + interval '20 days' where name like '%5'`);
    await rail.rows(sql`
      update anomaly set status = 'Resolved', resolved_at = now(), resolved_by = 'x', resolution = 'x' where name like '%5'`);
    const after = await answersOf();
    expect(after).not.toEqual(before);
    await expectPlain(after);
  });

  it('leave nothing in the feed where no figure changes', async () => {
    const count = () => rail.count(sql`select from fact_change where kind in ('shift', 'anomaly')`);
    const before = await count();
    await rail.rows(sql`update counter_shift set closing_notes = 'x' where mda = 'URA'`);
    await rail.rows(sql`update anomaly set resolution = 'y' where status = 'Resolved'`);
    expect(await count()).toBe(before);
  });
});
