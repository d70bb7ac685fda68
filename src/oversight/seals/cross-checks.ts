import { sql } from '../../platform/database/sql.ts';
import { type Check, listDifferences } from './check.ts';

/**
 * True if an intent was collected only after its assessment had been cancelled: such money is recorded, and never
 * reversed with it.
 */
const collectedAfterCancelling = sql`exists (
  select from anomaly n where n.kind = 'late_collection' and n.subject = i.name
    and n.evidence ->> 'assessment_status' = 'Cancelled')`;

/** True if the payments of an assessment went back when it was cancelled. */
const wentBack = sql`a.status = 'Cancelled' and a.paid_at is not null and not ${collectedAfterCancelling}`;

/** Checks of confirmations, their splits and their events against one another, in both directions. */
export const CROSS_CHECKS: readonly Check[] = [
  [
    'confirmed_without_event',
    sql`select i.name as row, s.mda, 'is Confirmed, and its split has no payment event' as why
      from payment_intent i join split_rule s on s.intent = i.name
      left join payment_event e on e.intent = i.name and e.mda = s.mda and e.kind = 'payment'
      where i.status = 'Confirmed' and e.name is null`,
  ],
  [
    'event_without_confirmation',
    sql`select e.name as row, e.mda, case when i.name is null then 'there is no intent ' || e.intent
        when i.status <> 'Confirmed' then e.intent || ' is ' || i.status else e.intent || ' has no split for ' || e.mda end as why
      from payment_event e left join payment_intent i on i.name = e.intent left join split_rule s on s.intent = e.intent
        and s.mda = e.mda
      where e.kind = 'payment' and (i.status is distinct from 'Confirmed' or s.mda is null)`,
  ],
  [
    'event_differs',
    sql`select * from (
        select e.name as row, e.mda, 'differs from ' || i.name || ' in ' || ${listDifferences({
          amount: sql`e.amount <> s.amount`,
          assessment: sql`e.assessment <> i.assessment`,
          integrator: sql`e.integrator is distinct from i.integrator`,
          currency: sql`e.currency <> i.currency`,
          channel: sql`e.channel <> i.channel`,
          aggregator_reference: sql`e.aggregator_reference is distinct from i.aggregator_reference`,
          occurred_at: sql`e.occurred_at <> i.confirmed_at`,
          created_at: sql`e.created_at <> e.occurred_at`,
        })} as why
        from payment_event e join payment_intent i on i.name = e.intent join split_rule s on s.intent = e.intent
          and s.mda = e.mda where e.kind = 'payment'
      ) d where why is not null`,
  ],
  [
    'splits_differ',
    sql`select * from (
        select i.name as row, null::text as mda, 'differs in ' || ${listDifferences({
          'the sum of its splits': sql`coalesce(s.amount, 0) <> i.amount`,
          'the total of its assessment': sql`i.amount is distinct from a.total_amount`,
          'the currency of its assessment': sql`i.currency is distinct from a.currency`,
        })} as why
        from payment_intent i left join (select intent, sum(amount) as amount from split_rule
          group by intent) s on s.intent = i.name
        left join assessment a on a.name = i.assessment where i.status = 'Confirmed'
      ) d where why is not null`,
  ],
  [
    'lines_differ',
    sql`select a.name as row, null::text as mda, 'has a total of ' || a.total_amount || ' for ' || a.line_count
        || ' lines, and has ' || count(l.idx) || ' of ' || coalesce(sum(l.amount), 0) as why
      from assessment a left join assessment_line l on l.assessment = a.name
      group by a.name having count(l.idx) <> a.line_count or coalesce(sum(l.amount), 0) <> a.total_amount`,
  ],
  [
    'paid_without_confirmation',
    sql`select a.name as row, null::text as mda, 'is Paid, and has no Confirmed intent' as why from assessment a
      where a.status = 'Paid' and not exists (select from payment_intent i where i.assessment = a.name
        and i.status = 'Confirmed')`,
  ],
  [
    'confirmed_and_not_paid',
    sql`select i.name as row, null::text as mda, 'is Confirmed, and ' || coalesce(a.name || ' is ' || a.status, 'there is no assessment ' || i.assessment) as why
      from payment_intent i left join assessment a on a.name = i.assessment
      where i.status = 'Confirmed' and (a.status is null or a.status in ('Draft', 'Assessed'))`,
  ],
  [
    'reversal_without_cancellation',
    sql`select e.name as row, e.mda, case when p.name is null then 'there is no payment that it reverses' when a.status is distinct from 'Cancelled' then
        coalesce(a.name || ' is ' || a.status,
          'there is no assessment ' || e.assessment) else e.intent || ' was not reversed with ' || e.assessment end as why
      from payment_event e left join payment_event p on p.intent = e.intent and p.mda = e.mda and p.kind = 'payment'
      left join payment_intent i on i.name = e.intent left join assessment a on a.name = e.assessment
      where e.kind = 'reversal' and (p.name is null or i.name is null or (${wentBack}) is not true)`,
  ],
  [
    'cancelled_without_reversal',
    sql`select p.name as row, p.mda, a.name || ' was paid and cancelled, and this has no reversal' as why
      from assessment a join payment_intent i on i.assessment = a.name and i.status = 'Confirmed'
      join payment_event p on p.intent = i.name and p.kind = 'payment' left join payment_event r on r.intent = p.intent
        and r.mda = p.mda and r.kind = 'reversal'
      where ${wentBack} and r.name is null`,
  ],
  [
    'reversal_differs',
    sql`select * from (
        select e.name as row, e.mda, 'differs from ' || p.name || ' in ' || ${listDifferences({
          amount: sql`e.amount <> -p.amount`,
          assessment: sql`e.assessment <> p.assessment`,
          integrator: sql`e.integrator is distinct from p.integrator`,
          currency: sql`e.currency <> p.currency`,
          channel: sql`e.channel <> p.channel`,
          aggregator_reference: sql`e.aggregator_reference <> p.aggregator_reference`,
          txn_id: sql`e.txn_id is distinct from p.txn_id`,
          occurred_at: sql`e.occurred_at <> a.cancelled_at`,
          created_at: sql`e.created_at <> e.occurred_at`,
        })} as why
        from payment_event e join payment_event p on p.intent = e.intent and p.mda = e.mda and p.kind = 'payment' left
          join assessment a on a.name = e.assessment
        where e.kind = 'reversal'
      ) d where why is not null`,
  ],
  [
    'traced_event_missing',
    sql`select t.doc as row, null::text as mda, 'the trace of ' || t.assessment || ' tells of it, and it is not there' as why
      from trace_row t where t.kind = 'payment_event.created'
        and not exists (select from payment_event e where e.name = t.doc)`,
  ],
  [
    'unsealed_event',
    sql`select e.name as row, e.mda, 'is not sealed, and does not wait to be' as why from payment_event e
      where not exists (select from event_seal s where s.event = e.name)
        and not exists (select from unsealed_event u where u.mda = e.mda and u.event = e.name)`,
  ],
  [
    'waiting_in_vain',
    sql`select u.event as row, u.mda, case when e.name is null then 'waits to be sealed, and is not there' else 'waits to be sealed, and is' end as why
      from unsealed_event u left join payment_event e on e.name = u.event and e.mda = u.mda left
        join event_seal s on s.event = u.event
      where e.name is null or s.event is not null`,
  ],
];
