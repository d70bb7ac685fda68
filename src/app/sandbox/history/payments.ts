import { type Database, sql } from '../../../platform/database/sql.ts';
import { CITIZENS } from './cast.ts';

export interface Month {
  readonly from: Date;
  readonly to: Date;
}

/** How many assessments have a second line, for another agency; how many are reversed, or never paid. */
const TWO_LINES = 0.15;
const REVERSED = 0.005;
const UNPAID = 0.05;

/** Events of an assessment on average. */
export const EVENTS_EACH = (1 - UNPAID) * (1 + TWO_LINES) * (1 + REVERSED);

/** Writes so many assessments of a month with all that follows from them; how many payment events those were. */
export async function writePayments(db: Database, { from, to }: Month, count: number, seed: number): Promise<number> {
  // Rows that fit one another by how they are made need no triggers to say so; without the right to, it takes longer.
  const role = await db.row<{ may: boolean }>(sql`select rolsuper as may from pg_roles where rolname = current_user`);
  if (role!.may) await db.rows(sql`set local session_replication_role = replica`);
  await db.rows(sql`select setseed(${((seed % 9_973) + 1) / 9_974})`);
  const period = from.toISOString().slice(0, 7);
  const take = (prefix: string, numbers: number) => takeNumbers(db, `${prefix}-${period}`, numbers);
  await drawCases(db, { from, to }, count, { assessment: await take('ASMT', count), intent: await take('PI', count) });
  await writeAssessments(db);
  await writeIntents(db);
  const events = await db.row<{ n: number }>(sql`
    select coalesce(sum(
      case fate when 'unpaid' then 0 when 'reversed' then 2 else 1 end * case when service2 is null then 1 else 2 end
    ), 0)::int as n from history_case`);
  await writeEvents(db, `PEV-${period}-`, await take('PEV', events!.n));
  await writeReversals(db, `ANOM-${period}-`, await take('ANOM', count));
  return events!.n;
}

/** Takes numbers of a series of docnames; the first of them. */
async function takeNumbers(db: Database, series: string, numbers: number): Promise<number> {
  const row = await db.row<{ next: number }>(sql`
    insert into docname_counter as c (series, next) values (${series}, ${numbers + 1})
    on conflict (series) do update set next = c.next + ${numbers} returning c.next`);
  return row!.next - numbers;
}

interface Numbers {
  readonly assessment: number;
  readonly intent: number;
}

/** Draws by lot what happened, into a table that lasts as long as the transaction: a row for each assessment. */
async function drawCases(db: Database, { from, to }: Month, count: number, first: Numbers): Promise<void> {
  const period = from.toISOString().slice(0, 7);
  await db.rows(sql`drop table if exists history_case`);
  // How many rows a series has, the planner cannot know.
  await db.rows(sql`set local enable_nestloop = off`);
  await db.rows(sql`
    create temp table history_case on commit drop as
    with service as (
      select s.name, s.service_name, s.mda, s.fee_amount as fee, s.currency,
        row_number() over (order by md5(s.mda), s.name) as i, count(*) over () as n
      from service s join mda m on m.name = s.mda
      where s.status = 'Active' and m.status = 'Active' and s.currency = 'UGX' and s.fee_amount > 0
    ), rolled as (
      -- Busier in working hours and at the end of a month, and some services asked for far more often than others.
      select c as n,
        ${from}::timestamptz
          + floor(power(random(), 0.8) * extract(epoch from ${to}::timestamptz - ${from}::timestamptz) / 86400)
            * interval '1 day'
          + (5 + random() * 10) * interval '1 hour' as at,
        1 + floor(power(random(), 2) * (select max(n) from service))::int as one,
        1 + floor(power(random(), 2) * (select max(n) from service))::int as two,
        random() as second, random() as fate, random() as way,
        1 + floor(power(random(), 4) * 3)::int as quantity,
        1 + floor(random() * ${CITIZENS})::int as who
      from generate_series(1, ${count}) c
    )
    select r.n, r.at,
      'ASMT-' || ${period} || '-' || lpad((${first.assessment} + r.n - 1)::text, 6, '0') as assessment,
      'PI-' || ${period} || '-' || lpad((${first.intent} + r.n - 1)::text, 6, '0') as intent,
      'CITIZEN-2020-' || (900000 + r.who) as citizen, r.quantity,
      a.name as service, a.service_name, a.mda, a.fee, a.fee * r.quantity as amount, a.currency,
      case when r.second < ${TWO_LINES} and b.mda <> a.mda then b.name end as service2,
      b.service_name as service_name2, b.mda as mda2, b.fee as amount2,
      case when r.fate < ${REVERSED} then 'reversed' when r.fate < ${REVERSED + UNPAID} then 'unpaid' else 'paid'
        end as fate,
      (case when r.way < 0.45 then 'mtn_momo' when r.way < 0.7 then 'airtel_money' when r.way < 0.82 then 'card'
        else 'cash' end)::channel as channel,
      r.at + (10 + power(random(), 3) * 7200) * interval '1 second' as paid_at
    from rolled r join service a on a.i = r.one join service b on b.i = r.two`);
  await db.rows(sql`set local enable_nestloop = on`);
}

async function writeAssessments(db: Database): Promise<void> {
  await db.rows(sql`
    insert into assessment (
      name, citizen, status, currency, total_amount, line_count, revision, assessed_at, paid_at, cancelled_at,
      created_at, updated_at
    )
    select assessment, citizen,
      (case fate when 'paid' then 'Paid' when 'unpaid' then 'Assessed' else 'Cancelled' end)::assessment_status,
      currency, amount + case when service2 is null then 0 else amount2 end,
      case when service2 is null then 1 else 2 end, 3, at, case when fate <> 'unpaid' then paid_at end,
      case when fate = 'reversed' then paid_at + interval '2 hours' end, at, paid_at
    from history_case`);
  await db.rows(sql`
    insert into assessment_line (assessment, idx, service, service_name, mda, quantity, rate, amount)
    select assessment, 1, service, service_name, mda, quantity, fee, amount from history_case
    union all
    select assessment, 2, service2, service_name2, mda2, 1, amount2, amount2 from history_case
    where service2 is not null`);
}

async function writeIntents(db: Database): Promise<void> {
  await db.rows(sql`
    insert into payment_intent (
      name, assessment, channel, status, amount, currency, aggregator, aggregator_reference, failure_reason, revision,
      initiated_at, confirmed_at, expires_at, created_at, updated_at
    )
    select intent, assessment, channel,
      (case when fate <> 'unpaid' then 'Confirmed' when n % 3 = 0 then 'Failed' else 'Expired' end)::intent_status,
      amount + case when service2 is null then 0 else amount2 end, currency, channel::text, 'HISTORY-' || intent,
      case when fate = 'unpaid' and n % 3 = 0 then 'PAYER_DECLINED' end, 3,
      at, case when fate <> 'unpaid' then paid_at end, at + interval '1 day', at, paid_at
    from history_case`);
  await db.rows(sql`
    insert into split_rule (intent, mda, amount)
    select intent, mda, amount from history_case
    union all
    select intent, mda2, amount2 from history_case where service2 is not null`);
}

async function writeEvents(db: Database, prefix: string, first: number): Promise<void> {
  await db.rows(sql`
    insert into payment_event (
      name, intent, assessment, mda, amount, currency, channel, kind, aggregator_reference, txn_id, occurred_at,
      created_at
    )
    select ${prefix} || lpad((${first} - 1 + row_number() over (order by at, intent, mda, kind))::text, 6, '0'),
      intent, assessment, mda, amount, currency, channel, kind::payment_event_kind, 'HISTORY-' || intent,
      'TXN-' || intent, at, at
    from (
      select intent, assessment, mda, amount, currency, channel, 'payment' as kind, paid_at as at
      from history_case where fate <> 'unpaid'
      union all
      select intent, assessment, mda2, amount2, currency, channel, 'payment', paid_at
      from history_case where fate <> 'unpaid' and service2 is not null
      union all
      select intent, assessment, mda, -amount, currency, channel, 'reversal', paid_at + interval '2 hours'
      from history_case where fate = 'reversed'
      union all
      select intent, assessment, mda2, -amount2, currency, channel, 'reversal', paid_at + interval '2 hours'
      from history_case where fate = 'reversed' and service2 is not null
    ) e
    order by at, intent, mda, kind`);
}

/** The anomaly that each reversal is. */
async function writeReversals(db: Database, prefix: string, first: number): Promise<void> {
  await db.rows(sql`
    insert into anomaly (name, kind, mda, mdas, severity, status, subject, evidence, raised_at)
    select ${prefix} || lpad((${first} - 1 + row_number() over (order by paid_at, assessment))::text, 6, '0'),
      'reversal', mdas[1], mdas, 'low', 'Open', assessment,
      jsonb_build_object('amount', amount, 'currency', currency, 'paid_at', paid_at), paid_at + interval '2 hours'
    from history_case
    cross join lateral (
      select case when service2 is null then array[mda] when amount2 > amount then array[mda2, mda] else array[mda,
        mda2] end
    ) concerned (mdas)
    where fate = 'reversed'`);
}
