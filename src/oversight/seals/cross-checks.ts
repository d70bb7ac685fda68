import { type Sql, sql } from '../../platform/database/sql.ts';
import { type Check, listDifferences } from './check.ts';
import { traced, within } from './compare.ts';

/**
 * True if an intent was collected only after its assessment had been cancelled: such money is recorded, and never
 * reversed with it.
 */
const collectedAfterCancelling = sql`exists (
  select from anomaly n where n.kind = 'late_collection' and n.subject = i.name
    and n.evidence ->> 'assessment_status' = 'Cancelled')`;

/** True if the payments of an assessment went back when it was cancelled. */
const wentBack = sql`a.status = 'Cancelled' and a.paid_at is not null and not ${collectedAfterCancelling}`;

/** Amount of a payment `p` that refunds had given back by a time, or were about to. */
const refundedBefore = (time: Sql) => sql`(
  select coalesce(sum(s.amount), 0) from refund f join refund_share s on s.refund = f.name
  where f.intent = p.intent and s.mda = p.mda and not f.booked and f.created_at <= ${time}
    and not (f.status in ('Declined', 'Failed') and f.updated_at <= ${time}))`;

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
        and i.status = 'Confirmed') and not (a.total_amount = 0 and ${traced(sql`a.name`, sql`a.name`, sql`t.detail ->> 'to' = 'Paid'`)})`,
  ],
  [
    'replacement_differs',
    sql`select a.name as row, null::text as mda, 'replaces ' || coalesce(a.replaces, 'nothing') || ', and its trace tells otherwise' as why
      from (select t.doc, t.detail ->> 'replaces' as replaces from trace_row t where t.kind = 'assessment.update'
          and t.detail ->> 'to' = 'Draft' and t.detail ? 'replaces') t
        full join (select name, replaces from assessment where replaces is not null) r on r.name = t.doc
        join assessment a on a.name = coalesce(r.name, t.doc) left join assessment o on o.name = a.replaces
      where a.replaces is distinct from t.replaces or o.status is distinct from 'Cancelled'`,
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
      where e.kind = 'reversal' and e.refund is null and (p.name is null or i.name is null or (${wentBack}) is not true)`,
  ],
  [
    'cancelled_without_reversal',
    sql`select p.name as row, p.mda, a.name || ' was paid and cancelled, and this has no reversal' as why
      from assessment a join payment_intent i on i.assessment = a.name and i.status = 'Confirmed'
      join payment_event p on p.intent = i.name and p.kind = 'payment' left join payment_event r on r.intent = p.intent
        and r.mda = p.mda and r.kind = 'reversal' and r.refund is null
      where ${wentBack} and r.name is null and p.amount <> ${refundedBefore(sql`a.cancelled_at`)}`,
  ],
  [
    'reversal_differs',
    sql`select * from (
        select e.name as row, e.mda, 'differs from ' || p.name || ' in ' || ${listDifferences({
          amount: sql`e.amount <> ${refundedBefore(sql`a.cancelled_at`)} - p.amount`,
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
        where e.kind = 'reversal' and e.refund is null
      ) d where why is not null`,
  ],
  [
    'refund_differs',
    sql`select * from (
        select f.name as row, null::text as mda, 'differs in ' || ${listDifferences({
          'its payment': sql`f.money is null and (i.status is distinct from 'Confirmed' or i.assessment <> f.assessment
            or i.currency <> f.currency or i.integrator is distinct from f.integrator)`,
          'its money': sql`f.money is not null and (m.name is null or f.intent is not null or m.assessment is distinct from f.assessment or a.integrator is distinct from f.integrator or m.currency <> f.currency
            or (f.status = 'Done') <> exists (select from money_outcome o where o.money = f.money and o.refund = f.name
              and o.kind = 'returned' and o.amount = f.amount and o.at = f.done_at))`,
          'its shares': sql`f.amount is distinct from (select sum(s.amount) from refund_share s where s.refund = f.name) and f.money is null
            or f.assessment is not null and not ${traced(
              sql`f.assessment`,
              sql`f.name`,
              sql`t.detail -> 'shares' = (select coalesce(jsonb_agg(
              jsonb_build_object('idx', s.idx, 'mda', s.mda, 'amount', s.amount) order by s.idx, s.mda collate "C"), '[]')
              from refund_share s where s.refund = f.name)`,
            )}`,
          'its events': sql`exists (
            select from (select mda, sum(amount) as amount from refund_share s where s.refund = f.name and f.status = 'Done' and not f.booked group by mda) s
            full join (select mda, -amount as amount, txn_id, occurred_at, created_at from payment_event e where e.refund = f.name) e using (mda)
            where (s.amount, f.provider_reference, f.done_at, f.done_at)
              is distinct from (e.amount, e.txn_id, e.occurred_at, e.created_at))`,
          'its request': sql`f.assessment is not null and not ${traced(
            sql`f.assessment`,
            sql`f.name`,
            sql`t.detail ->> 'to' = 'Requested'
            and t.detail -> 'amount' = to_jsonb(f.amount) and t.detail ->> 'reason_code' = f.reason_code
            and t.detail -> 'booked' = to_jsonb(f.booked) and t.actor = f.requested_by
            and (f.status = 'Done' or t.detail ->> 'method' = f.method::text)
            and coalesce(t.detail ->> 'provider_reference' = f.provider_reference, true) and ${within(sql`f.created_at`)}`,
          )}`,
          'its status': sql`f.assessment is not null and f.status::text is distinct from (select t.detail ->> 'to' from trace_row t
            where t.assessment = f.assessment and t.doc = f.name and t.detail ? 'to' order by t.id desc limit 1)`,
          'how it was paid': sql`case when f.status = 'Done' then f.assessment is not null and not ${traced(
            sql`f.assessment`,
            sql`f.name`,
            sql`t.detail ->> 'to' = 'Done'
            and t.detail ->> 'method' = f.method::text and t.detail ->> 'provider_reference' = f.provider_reference
            and t.detail ->> 'shift' is not distinct from f.shift and ${within(sql`f.done_at`)}`,
          )}
            else coalesce(case when f.method <> 'chargeback' then f.provider_reference end, f.shift, f.done_at::text) is not null end`,
        })} as why
        from refund f left join payment_intent i on i.name = f.intent left join money_received m on m.name = f.money
          left join assessment a on a.name = m.assessment
      ) d where why is not null`,
  ],
  [
    'money_outcome_differs',
    sql`select o.money as row, null::text as mda, 'its outcome of ' || o.amount || ' is of no payment or refund' as why
      from money_outcome o left join payment_intent i on i.name = o.intent left join refund f on f.name = o.refund
      where o.kind = 'allocated' and (i.status is distinct from 'Confirmed' or i.aggregator <> 'allocation' or o.at <> i.confirmed_at)
        or (o.intent is null) = (o.kind = 'allocated') or (o.refund is null) = (o.kind = 'returned')
        or o.kind = 'returned' and (f.status is distinct from 'Done' or f.money <> o.money or f.amount <> o.amount)
      union all select i.name, null, 'is not what was allocated to it' from payment_intent i
      where i.aggregator = 'allocation' and not exists (
        select from payment_event e join (select sum(amount) as amount, string_agg(money, ' ' order by id) as money
          from money_outcome where intent = i.name) o on o.money = e.txn_id and o.amount = i.amount where e.intent = i.name)
      union all select m.name, null, 'has outcomes of more than arrived' from money_received m
      where m.amount < (select sum(o.amount) from money_outcome o where o.money = m.name)
      union all select m.name, null, 'has outcomes, and pays ' || e.intent from money_received m
      join payment_event e on e.intent = m.intent and e.txn_id = m.txn_id where exists (select from money_outcome o where o.money = m.name)`,
  ],
  [
    'refund_missing',
    sql`select t.doc as row, null::text as mda, 'the trace of ' || t.assessment || ' tells of it, and it is not there' as why
      from trace_row t where t.kind = 'payment_intent.update' and t.doc like 'RFD-%' and t.detail ->> 'to' = 'Requested'
        and not exists (select from refund f where f.name = t.doc)`,
  ],
  [
    'refund_event_differs',
    sql`select * from (
        select e.name as row, e.mda, case when f.name is null then 'there is no refund ' || e.refund else 'differs from ' || p.name || ' in ' || ${listDifferences(
          {
            intent: sql`e.intent <> f.intent`,
            assessment: sql`e.assessment is distinct from p.assessment`,
            integrator: sql`e.integrator is distinct from p.integrator`,
            currency: sql`e.currency is distinct from p.currency`,
            channel: sql`e.channel is distinct from p.channel`,
            aggregator_reference: sql`e.aggregator_reference is distinct from p.aggregator_reference`,
            proof: sql`e.proof is distinct from p.proof`,
          },
        )} end as why
        from payment_event e left join refund f on f.name = e.refund left join payment_event p on p.intent = e.intent
          and p.mda = e.mda and p.kind = 'payment' where e.refund is not null
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
