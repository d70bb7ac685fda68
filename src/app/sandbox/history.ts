import type { Rail } from '../../platform/call/call.ts';
import { type Database, sql } from '../../platform/database/sql.ts';
import { fold } from '../../oversight/revenue/fold.ts';
import { DAY_MS, dayOf } from '../../kernel/time.ts';

export interface HistoryOptions {
  /** How many payment events, about. */
  readonly events: number;
  readonly years: number;
  /** How many agencies there are to be at the end; those that lack are made up. */
  readonly agencies: number;
  /** The same numbers make the same history. */
  readonly seed: number;
}

export interface HistoryProgress {
  readonly months: number;
  readonly ofMonths: number;
  readonly events: number;
}

/** Payments that one transaction writes. */
const BATCH = 50_000;
const FOLDED_AT_ONCE = 200_000;
const CITIZENS = 5_000;
const SERVICES_OF_AN_AGENCY = 6;
/** How many assessments have a second line, for another agency; how many fail, wait or are reversed. */
const TWO_LINES = 0.15;
const REVERSED = 0.005;
const UNPAID = 0.05;
/** Events of an assessment on average. */
const EVENTS_EACH = (1 - UNPAID) * (1 + TWO_LINES) * (1 + REVERSED);

type Seeding = Pick<Rail, 'db' | 'transaction' | 'now'>;

/**
 * Fills a database with a history that could have been: growing, busier at the end of a month and before the end of the fiscal year in
 * June, some agencies far larger than others, a few payments reversed and some never made. For trying oversight out; it makes up
 * people, and belongs into no real database.
 */
export async function* seedHistory(rail: Seeding, options: HistoryOptions): AsyncGenerator<HistoryProgress> {
  await rail.db.rows(sql`select setseed(${((options.seed % 1_000) + 1) / 1_001})`);
  await makeAgencies(rail.db, options.agencies, rail.now());
  await makeCitizens(rail.db, rail.now());
  const months = monthsUpTo(rail.now(), options.years);
  const weights = months.map(({ from }, index) => (1 + index / months.length) * (from.getUTCMonth() === 5 ? 1.6 : 1));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let events = 0;
  for (const [index, month] of months.entries()) {
    for (let left = Math.round((options.events / EVENTS_EACH) * (weights[index]! / whole)); left > 0; left -= BATCH) {
      events += await rail.transaction((db) => writeMonth(db, month, Math.min(left, BATCH), options.seed + index * 97 + left));
    }
    for (let folded = FOLDED_AT_ONCE; folded === FOLDED_AT_ONCE;) folded = await fold(rail, FOLDED_AT_ONCE);
    yield { months: index + 1, ofMonths: months.length, events };
  }
  // What was written in bulk, PostgreSQL knows nothing of yet.
  await rail.db.rows(sql`analyze`);
}

interface Month {
  readonly from: Date;
  readonly to: Date;
}

/** Whole months up to the last one, and the present one up to yesterday. */
function monthsUpTo(now: Date, years: number): Month[] {
  const today = dayOf(now);
  const months: Month[] = [];
  for (let back = Math.round(years * 12) - 1; back >= 0; back--) {
    const from = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back, 1));
    const to = new Date(Math.min(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1), today.getTime()));
    if (to.getTime() - from.getTime() >= DAY_MS) months.push({ from, to });
  }
  return months;
}

async function makeAgencies(db: Database, wanted: number, at: Date): Promise<void> {
  await db.rows(sql`
    with lacking as (select greatest(0, ${wanted}::int - (select count(*)::int from mda where status = 'Active')) as n
    ), made as (
      insert into mda (name, mda_name, interaction_mode, country, mda_type, status, collection_account, created_at, updated_at)
      select 'LG-' || lpad(i::text, 3, '0'), 'Local government ' || i, 'A', 'UG', 'local_government', 'Active', '9040' || lpad(i::text, 9, '0'), ${at}, ${at}
      from lacking, generate_series(1, n) i on conflict (name) do nothing returning name
    )
    insert into service (name, service_name, code, mda, sector, family, status, fee_amount, currency, search_text, created_at, updated_at)
    select 'SVC-2020-' || (900000 + row_number() over (order by m.name, s.i))::text, s.title, m.name || '-' || s.i, m.name, s.sector, s.family, 'Active', s.fee, 'UGX',
      lower(s.title || ' ' || m.name || '-' || s.i), ${at}, ${at}
    from made m, (values (1, 'Market dues', 'commerce', 'fee', 30000), (2, 'Trading licence', 'commerce', 'licence', 120000), (3, 'Property rate', 'property', 'rate', 400000),
      (4, 'Building permit', 'construction', 'permit', 250000), (5, 'Parking permit', 'transport', 'permit', 60000), (6, 'Ground rent', 'property', 'rate', 90000))
      as s (i, title, sector, family, fee)
    where s.i <= ${SERVICES_OF_AN_AGENCY} on conflict do nothing`);
}

async function makeCitizens(db: Database, at: Date): Promise<void> {
  await db.rows(sql`
    insert into citizen (name, nin, full_name, phone, verified, search_text, created_at, updated_at)
    select 'CITIZEN-2020-' || (900000 + i), 'CM' || lpad(i::text, 12, '0'), 'Sample Person ' || i, null, true, lower('Sample Person ' || i || ' CM' || lpad(i::text, 12, '0')), ${at}, ${at}
    from generate_series(1, ${CITIZENS}) i on conflict do nothing`);
}

/** Writes so many assessments of a month with all that follows from them; how many payment events those were. */
async function writeMonth(db: Database, { from, to }: Month, count: number, seed: number): Promise<number> {
  // Rows that fit one another by how they are made need no triggers to say so; without the right to, it takes longer.
  const free = await db.row<{ may: boolean }>(sql`select rolsuper as may from pg_roles where rolname = current_user`);
  if (free!.may) await db.rows(sql`set local session_replication_role = replica`);
  await db.rows(sql`select setseed(${((seed % 9_973) + 1) / 9_974})`);
  const period = from.toISOString().slice(0, 7);
  const start = async (prefix: string, numbers: number): Promise<number> => {
    const row = await db.row<{ next: number }>(sql`
      insert into docname_counter as c (series, next) values (${`${prefix}-${period}`}, ${numbers + 1})
      on conflict (series) do update set next = c.next + ${numbers} returning c.next`);
    return row!.next - numbers;
  };
  const assessments = await start('ASMT', count);
  const intents = await start('PI', count);
  await db.rows(sql`drop table if exists history_case`);
  // How many rows a series has, the planner cannot know.
  await db.rows(sql`set local enable_nestloop = off`);
  await db.rows(sql`
    create temp table history_case on commit drop as
    with service as (
      select s.name, s.service_name, s.mda, s.fee_amount as fee, s.currency, row_number() over (order by md5(s.mda), s.name) as i, count(*) over () as n
      from service s join mda m on m.name = s.mda where s.status = 'Active' and m.status = 'Active' and s.currency = 'UGX' and s.fee_amount > 0
    ), rolled as (
      -- Busier in working hours and at the end of a month, and some services asked for far more often than others.
      select c as n, ${from}::timestamptz + floor(power(random(), 0.8) * extract(epoch from ${to}::timestamptz - ${from}::timestamptz) / 86400) * interval '1 day'
          + (5 + random() * 10) * interval '1 hour' as at,
        1 + floor(power(random(), 2) * (select max(n) from service))::int as one, 1 + floor(power(random(), 2) * (select max(n) from service))::int as two,
        random() as second, random() as fate, random() as way, 1 + floor(power(random(), 4) * 3)::int as quantity, 1 + floor(random() * ${CITIZENS})::int as who
      from generate_series(1, ${count}) c
    )
    select r.n, r.at, 'ASMT-' || ${period} || '-' || lpad((${assessments} + r.n - 1)::text, 6, '0') as assessment,
      'PI-' || ${period} || '-' || lpad((${intents} + r.n - 1)::text, 6, '0') as intent, 'CITIZEN-2020-' || (900000 + r.who) as citizen, r.quantity,
      a.name as service, a.service_name, a.mda, a.fee, a.fee * r.quantity as amount, a.currency,
      case when r.second < ${TWO_LINES} and b.mda <> a.mda then b.name end as service2, b.service_name as service_name2, b.mda as mda2, b.fee as amount2,
      case when r.fate < ${REVERSED} then 'reversed' when r.fate < ${REVERSED + UNPAID} then 'unpaid' else 'paid' end as fate,
      (case when r.way < 0.45 then 'mtn_momo' when r.way < 0.7 then 'airtel_money' when r.way < 0.82 then 'card' else 'cash' end)::channel as channel,
      r.at + (10 + power(random(), 3) * 7200) * interval '1 second' as paid_at
    from rolled r join service a on a.i = r.one join service b on b.i = r.two`);
  await db.rows(sql`set local enable_nestloop = on`);
  await db.rows(sql`
    insert into assessment (name, citizen, status, currency, total_amount, line_count, revision, assessed_at, paid_at, cancelled_at, created_at, updated_at)
    select assessment, citizen, (case fate when 'paid' then 'Paid' when 'unpaid' then 'Assessed' else 'Cancelled' end)::assessment_status, currency,
      amount + case when service2 is null then 0 else amount2 end, case when service2 is null then 1 else 2 end, 3, at, case when fate <> 'unpaid' then paid_at end,
      case when fate = 'reversed' then paid_at + interval '2 hours' end, at, paid_at from history_case`);
  await db.rows(sql`
    insert into assessment_line (assessment, idx, service, service_name, mda, quantity, rate, amount)
    select assessment, 1, service, service_name, mda, quantity, fee, amount from history_case
    union all select assessment, 2, service2, service_name2, mda2, 1, amount2, amount2 from history_case where service2 is not null`);
  await db.rows(sql`
    insert into payment_intent (name, assessment, channel, status, amount, currency, aggregator, aggregator_reference, failure_reason, revision, initiated_at, confirmed_at,
      expires_at, created_at, updated_at)
    select intent, assessment, channel, (case when fate <> 'unpaid' then 'Confirmed' when n % 3 = 0 then 'Failed' else 'Expired' end)::intent_status,
      amount + case when service2 is null then 0 else amount2 end, currency, channel::text, 'HISTORY-' || intent, case when fate = 'unpaid' and n % 3 = 0 then 'PAYER_DECLINED' end,
      3, at, case when fate <> 'unpaid' then paid_at end, at + interval '1 day', at, paid_at from history_case`);
  await db.rows(sql`
    insert into split_rule (intent, mda, amount) select intent, mda, amount from history_case
    union all select intent, mda2, amount2 from history_case where service2 is not null`);
  const events = await db.row<{ n: number }>(sql`
    select coalesce(sum(case when fate = 'unpaid' then 0 when fate = 'reversed' then 2 else 1 end * case when service2 is null then 1 else 2 end), 0)::int as n from history_case`);
  const first = await start('PEV', events!.n);
  await db.rows(sql`
    insert into payment_event (name, intent, assessment, mda, amount, currency, channel, kind, aggregator_reference, txn_id, occurred_at, created_at)
    select 'PEV-' || ${period} || '-' || lpad((${first} - 1 + row_number() over (order by at, intent, mda, kind))::text, 6, '0'), intent, assessment, mda, amount, currency, channel,
      kind::payment_event_kind, 'HISTORY-' || intent, 'TXN-' || intent, at, at
    from (
      select intent, assessment, mda, amount, currency, channel, 'payment' as kind, paid_at as at from history_case where fate <> 'unpaid'
      union all select intent, assessment, mda2, amount2, currency, channel, 'payment', paid_at from history_case where fate <> 'unpaid' and service2 is not null
      union all select intent, assessment, mda, -amount, currency, channel, 'reversal', paid_at + interval '2 hours' from history_case where fate = 'reversed'
      union all select intent, assessment, mda2, -amount2, currency, channel, 'reversal', paid_at + interval '2 hours' from history_case where fate = 'reversed' and service2 is not null
    ) e order by at, intent, mda, kind`);
  const flagged = await start('ANOM', count);
  await db.rows(sql`
    insert into anomaly (name, kind, severity, status, subject, evidence, raised_at)
    select 'ANOM-' || ${period} || '-' || lpad((${flagged} - 1 + row_number() over (order by paid_at, assessment))::text, 6, '0'), 'reversal', 'low', 'Open', assessment,
      jsonb_build_object('amount', amount, 'currency', currency, 'paid_at', paid_at), paid_at + interval '2 hours' from history_case where fate = 'reversed'`);
  return events!.n;
}
