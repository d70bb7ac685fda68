import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { railWithYear } from '../revenue/filled.ts';

const rail = railWithYear();
let key: string;
let service: string;
/** Days ago on which fees were set. */
const SET = [300, 120, 20];

beforeAll(async () => {
  key = (await rail.key('oversight.read')).plaintext;
  const [most] = await rail.rows<{ service: string }>(
    sql`select l.service from assessment_line l group by 1 order by count(*) desc, 1 limit 1`,
  );
  ({ service } = most!);
  await rail.tamper(`delete from service_fee where service = '${service}'`);
  for (const [index, days] of SET.entries())
    await rail.rows(sql`
      insert into service_fee (service, fee_amount, currency, since, set_by)
      values (${service}, ${(index + 1) * 1_000}, 'UGX', now() - make_interval(days => ${days}::int), 'somebody@example.com')`);
});

async function effects(days: number) {
  const query = `query ($service: [ID!], $days: Int!) { oversight { fees(service: $service) { nodes { feeAmount
    effect(days: $days) { feeBefore before { days revenue pieces revenuePerDay piecesPerDay }
      after { days revenue pieces revenuePerDay piecesPerDay } revenueChange piecesChange } } } } }`;
  const { json } = await rail.ask('/graphql', { key, body: { query, variables: { service, days } } });
  if (json.errors) throw new Error(JSON.stringify(json.errors));
  expect(JSON.stringify(json)).not.toContain('somebody');
  return json.data.oversight.fees.nodes;
}

/** The same of days ago, from the base tables: days of the country, the first and the last included. */
async function expected(from: number, to: number) {
  const [row] = await rail.rows<{ revenue: number; pieces: number }>(sql`
    select coalesce(sum(s.amount), 0)::float8 as revenue, coalesce(sum(q.pieces), 0)::int as pieces
    from event_share s join payment_event e on e.name = s.event
    cross join lateral (select (e.occurred_at at time zone 'Africa/Kampala')::date as day) d
    cross join lateral (select (now() at time zone 'Africa/Kampala')::date as today) t
    cross join lateral (
      select sum(l.quantity) * sign(e.amount) as pieces from assessment_line l
      where l.assessment = e.assessment and l.mda = e.mda and l.service = s.service) q
    where s.service = ${service} and d.day between t.today - ${from}::int and t.today - ${to}::int`);
  const days = from - to + 1;
  return { days, ...row!, revenuePerDay: Math.round(row!.revenue / days) };
}

describe('the effect of a fee', () => {
  it('is what its service brought in the days before and after, as plain SQL adds it up', async () => {
    const [last, middle, first] = await effects(90);
    expect(first).toMatchObject({ feeAmount: 1_000, effect: null });
    expect(middle).toMatchObject({
      feeAmount: 2_000,
      effect: { feeBefore: 1_000, before: await expected(210, 121), after: await expected(119, 30) },
    });
    // As far as the fees held, and up to yesterday.
    expect(last).toMatchObject({
      feeAmount: 3_000,
      effect: { feeBefore: 2_000, before: await expected(110, 21), after: await expected(19, 1) },
    });
    const { before, after, revenueChange, piecesChange } = middle.effect;
    expect(before.revenue).toBeGreaterThan(0);
    expect(revenueChange).toBeCloseTo(after.revenue / after.days / (before.revenue / before.days) - 1, 5);
    expect(piecesChange).toBeCloseTo(after.pieces / before.pieces - 1, 5);
  });

  it('reaches no further than the fee before held; 422 beyond a year', async () => {
    const [last] = await effects(200);
    expect(last.effect).toMatchObject({ before: await expected(119, 21), after: await expected(19, 1) });
    await expect(effects(367)).rejects.toThrow(/validation_failed/);
  });
});
