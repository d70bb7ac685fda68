import { remakeCopies } from '../../platform/analytics/feed.ts';
import { type Database, sql } from '../../platform/database/sql.ts';
import { writeFindings, writeReversals } from './anomalies.ts';
import { type Month, drawCases, takeNumbers } from './cases.ts';
import type { Cast } from './cast.ts';
import { writeShifts } from './counters.ts';
import { writeDeliveries, writePropagations } from './messages.ts';
import { writeStatements } from './statements.ts';
import { writeTraces } from './traces.ts';

/** Condition for a case that was paid. */
const paid = sql`fate in ('paid', 'reversed')`;

/** Writes so many assessments of a month with all that follows from them; how many payment events those were. */
export async function writePayments(
  db: Database,
  { from, to }: Month,
  count: number,
  seed: number,
  cast: Cast,
): Promise<number> {
  // Rows that fit one another by how they are made need no triggers to say so; without the right to, it takes longer.
  const role = await db.row<{ may: boolean }>(sql`select rolsuper as may from pg_roles where rolname = current_user`);
  if (role!.may) await db.rows(sql`set local session_replication_role = replica`);
  await remakeCopies(db);
  await db.rows(sql`select setseed(${((seed % 9_973) + 1) / 9_974})`);
  const period = from.toISOString().slice(0, 7);
  const take = (prefix: string, numbers: number) => takeNumbers(db, `${prefix}-${period}`, numbers);
  const first = { assessment: await take('ASMT', count), intent: await take('PI', count) };
  await drawCases(db, { from, to }, count, first, cast);
  const whole = cast.integrators.length > 0;
  if (whole) await writeShifts(db, cast);
  await writeAssessments(db);
  await writeIntents(db);
  const events = await db.row<{ n: number }>(sql`
    select coalesce(sum(
      case fate when 'paid' then 1 when 'reversed' then 2 else 0 end * case when service2 is null then 1 else 2 end
    ), 0)::int as n from history_case`);
  await writeEvents(db, `PEV-${period}-`, await take('PEV', events!.n));
  await writeReversals(db, period, count, cast);
  if (whole) await writeWhole(db, period, count, cast);
  return events!.n;
}

/** Writes the other records of a rail. */
async function writeWhole(db: Database, period: string, count: number, cast: Cast): Promise<void> {
  await writeFindings(db, period, count, cast);
  await writeTraces(db);
  if (cast.messages) await writeDeliveries(db, period, count);
  await writePropagations(db);
  await writeStatements(db, period);
}

async function writeAssessments(db: Database): Promise<void> {
  await db.rows(sql`
    insert into assessment (
      name, citizen, status, currency, total_amount, line_count, shift, integrator, cancel_reason, revision, assessed_at,
      paid_at, cancelled_at, created_at, updated_at
    )
    select assessment, citizen,
      (case fate when 'paid' then 'Paid' when 'unpaid' then 'Assessed' when 'draft' then 'Draft' else 'Cancelled'
        end)::assessment_status,
      currency, amount + case when service2 is null then 0 else amount2 end,
      case when service2 is null then 1 else 2 end, shift, integrator,
      case fate when 'dropped' then 'Not wanted any more' end, case fate when 'draft' then 1 else 3 end,
      case when fate <> 'draft' then at end, case when ${paid} then paid_at end,
      case when fate in ('reversed', 'dropped') then paid_at + interval '2 hours' end, at, paid_at
    from history_case order by at`);
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
      name, assessment, integrator, channel, status, amount, currency, aggregator, aggregator_reference, failure_reason, revision,
      initiated_at, confirmed_at, expires_at, created_at, updated_at
    )
    select intent, assessment, integrator, channel,
      (case when ${paid} then 'Confirmed' when n % 3 = 0 then 'Failed' else 'Expired' end)::intent_status,
      amount + case when service2 is null then 0 else amount2 end, currency, channel::text, 'HISTORY-' || intent,
      case when not ${paid} and n % 3 = 0 then 'PAYER_DECLINED' end, 3,
      at, case when ${paid} then paid_at end, at + interval '1 day', at, paid_at
    from history_case where fate <> 'draft' order by at`);
  await db.rows(sql`
    insert into split_rule (intent, mda, amount)
    select intent, mda, amount from history_case where fate <> 'draft'
    union all
    select intent, mda2, amount2 from history_case where fate <> 'draft' and service2 is not null`);
}

async function writeEvents(db: Database, prefix: string, first: number): Promise<void> {
  await db.rows(sql`
    insert into payment_event (
      name, intent, assessment, integrator, mda, amount, currency, channel, kind, aggregator_reference, txn_id,
      proof, occurred_at, created_at
    )
    select ${prefix} || lpad((${first} - 1 + row_number() over (order by at, intent, mda, kind))::text, 6, '0'),
      intent, assessment, integrator, mda, amount, currency, channel, kind::payment_event_kind, 'HISTORY-' || intent,
      'TXN-' || intent, 'simulated', at, at
    from (
      select intent, assessment, integrator, mda, amount, currency, channel, 'payment' as kind, paid_at as at
      from history_case where ${paid}
      union all
      select intent, assessment, integrator, mda2, amount2, currency, channel, 'payment', paid_at
      from history_case where ${paid} and service2 is not null
      union all
      select intent, assessment, integrator, mda, -amount, currency, channel, 'reversal', paid_at + interval '2 hours'
      from history_case where fate = 'reversed'
      union all
      select intent, assessment, integrator, mda2, -amount2, currency, channel, 'reversal', paid_at + interval '2 hours'
      from history_case where fate = 'reversed' and service2 is not null
    ) e
    order by at, intent, mda, kind`);
}
