import { type Database, sql } from '../../platform/database/sql.ts';
import { addressOfClerk, codeOfIntegrator } from './accounts.ts';
import type { Cast } from './cast.ts';

export interface Month {
  readonly from: Date;
  readonly to: Date;
}

/** Shares of assessments that have a second line, for another agency; that are reversed; or never paid. */
const TWO_LINES = 0.15;
const REVERSED = 0.005;
const UNPAID = 0.05;

/** Events of an assessment on average. */
export const EVENTS_EACH = (1 - UNPAID) * (1 + TWO_LINES) * (1 + REVERSED);

/** Takes numbers of a series of docnames; the first of them. */
export async function takeNumbers(db: Database, series: string, numbers: number): Promise<number> {
  const row = await db.row<{ next: number }>(sql`
    insert into docname_counter as c (series, next) values (${series}, ${numbers + 1})
    on conflict (series) do update set next = c.next + ${numbers} returning c.next`);
  return row!.next - numbers;
}

export interface Numbers {
  readonly assessment: number;
  readonly intent: number;
}

/** Draws by lot what happened, into a table that lasts as long as the transaction: a row for each assessment. */
export async function drawCases(
  db: Database,
  { from, to }: Month,
  count: number,
  first: Numbers,
  cast: Cast,
): Promise<void> {
  const period = from.toISOString().slice(0, 7);
  const whole = cast.integrators.length > 0;
  const { services = null } = cast;
  // About two fifths of all assessments are the first integrator's, whether they are paid in cash or otherwise.
  const owner = sql`case when lot % 100 < 46 then 1 else 2 + lot / 100 % greatest(${cast.integrators.length}::int - 1, 1) end`;
  await db.rows(sql`drop table if exists history_case`);
  // The planner cannot know the number of rows of a series.
  await db.rows(sql`set local enable_nestloop = off`);
  await db.rows(sql`
    create temp table history_case on commit drop as
    with service as (
      select s.name, s.service_name, s.mda, s.fee_amount as fee, s.currency,
        row_number() over (order by array_position(${services}::text[], s.name), md5(s.mda), s.name) as i, count(*) over () as n
      from service s join mda m on m.name = s.mda
      where s.status = 'Active' and m.status = 'Active' and s.currency = 'UGX' and s.fee_amount > 0
        and (${services}::text[] is null or s.name = any(${services}::text[]))
    ), rolled as (
      -- Busier in working hours and at the end of a month, and some services asked for far more often than others.
      select c as n,
        ${from}::timestamptz
          + floor(power(random(), 0.8) * extract(epoch from ${to}::timestamptz - ${from}::timestamptz) / 86400)
            * interval '1 day'
          + (5 + random() * 10) * interval '1 hour' as at,
        1 + floor(power(random(), ${cast.lean}::float8) * (select max(n) from service))::int as one,
        1 + floor(power(random(), ${cast.lean}::float8) * (select max(n) from service))::int as two,
        random() as second, random() as fate, random() as way,
        1 + floor(power(random(), 4) * 3)::int as quantity,
        1 + floor(random() * ${cast.citizens}::int)::int as who
      from generate_series(1, ${count}) c
    )
    select r.n, r.at,
      'ASMT-' || ${period} || '-' || lpad((${first.assessment} + r.n - 1)::text, 6, '0') as assessment,
      'PI-' || ${period} || '-' || lpad((${first.intent} + r.n - 1)::text, 6, '0') as intent,
      'CITIZEN-2020-' || (900000 + r.who) as citizen, r.quantity,
      a.name as service, a.service_name, a.mda, a.fee, a.fee * r.quantity as amount, a.currency,
      case when r.second < ${TWO_LINES} and b.mda <> a.mda then b.name end as service2,
      b.service_name as service_name2, b.mda as mda2, b.fee as amount2,
      case when r.fate < ${REVERSED} then 'reversed' when r.fate >= ${REVERSED + (cast.unpaid ?? UNPAID)} then 'paid'
        when ${whole} and r.n % 5 = 0 then 'draft' when ${whole} and r.n % 5 = 1 then 'dropped' else 'unpaid' end as fate,
      (case when r.way < 0.45 then 'mtn_momo' when r.way < 0.7 then 'airtel_money' when r.way < 0.82 then 'card'
        else 'cash' end)::channel as channel,
      r.at + (10 + power(random(), 3) * ${cast.slowest}::int) * interval '1 second' as paid_at,
      -- At counters staff do what elsewhere integrators do, except a part of what the first integrator does.
      case when ${whole} and (r.way < 0.82 or lot % 100 < 10) then ${codeOfIntegrator(cast, owner)} end as integrator,
      null::text as shift, ${addressOfClerk(sql`(1 + lot % greatest(${cast.clerks}::int, 1))`)} as clerk
    from rolled r join service a on a.i = r.one join service b on b.i = r.two,
      lateral (select abs(hashtext(${period}::text || (${first.assessment} + r.n))) as lot) drawn`);
  await db.rows(sql`set local enable_nestloop = on`);
}
