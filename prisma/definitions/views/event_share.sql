-- Payment events by service. Most assessments have one line, which their events pay: these are joined. Of others the shares are found by
-- windows over the lines of an event, partitioned by what events are looked up by, so that a condition on it still reaches an index. So
-- facts are read in bulk where a copy is filled, and by the names of some documents after that. A refund names its lines; pieces go back
-- with all that was paid for them. A cancellation gives back what refunds left of each line. One that came
-- to nothing later is among them: shares of an event never change.
create or replace view event_share as
  select q.event, q.service, q.occurred_at, q.occurred_at at time zone z.time_zone as local_at, q.mda, q.channel, q.currency, q.kind, q.amount, q.leads,
    case when q.shift is not null then 'counter' when q.integrator is not null then 'integrator' else 'other' end as station,
    case when q.shift is not null then concat_ws(' ', h.mda, nullif(trim(h.counter_label), '')) end as counter, q.integrator,
    q.quantity, q.assessment, q.intent, q.event_amount
  from (
    select e.name as event, case when l.amount > 0 then l.service else '' end as service, e.occurred_at, e.mda, e.channel, e.currency, e.kind,
      e.amount, true as leads, a.shift, e.integrator, case when l.amount > 0 then l.quantity else 0 end as quantity, e.assessment, e.intent,
      e.amount as event_amount
    from payment_event e join assessment a on a.name = e.assessment
    left join assessment_line l on l.assessment = a.name and l.mda = e.mda
    where a.line_count = 1 and e.refund is null
    union all
    select e.name, coalesce(l.service, ''), e.occurred_at, e.mda, e.channel, e.currency, e.kind, -sum(s.amount),
      row_number() over (partition by e.name order by l.service nulls first) = 1, a.shift, e.integrator,
      coalesce(sum(l.quantity) filter (where s.amount = l.amount), 0)::integer, e.assessment, e.intent, e.amount
    from payment_event e join assessment a on a.name = e.assessment join refund_share s on s.refund = e.refund and s.mda = e.mda
    left join assessment_line l on l.assessment = a.name and l.idx = s.idx
    where e.refund is not null
    group by e.name, a.name, l.service
    union all
    select p.name, case when p.whole > 0 then p.service else '' end, p.occurred_at, p.mda, p.channel, p.currency, p.kind,
      case when p.line < p.whole then round(p.event_amount * p.upto / p.whole, p.digits) - round(p.event_amount * (p.upto - p.line) / p.whole, p.digits)
        else p.event_amount end,
      p.leads, p.shift, p.integrator, case when p.whole > 0 then p.quantity else 0 end::integer, p.assessment, p.intent, p.event_amount
    from (
      select e.name, l.service, e.occurred_at, e.mda, e.channel, e.currency, e.kind, e.amount as event_amount, a.shift, e.integrator, e.assessment,
        e.intent, sum(l.amount - b.amount) as line, sum(l.quantity) as quantity, sum(sum(l.amount - b.amount)) over by_service as upto,
        sum(sum(l.amount - b.amount)) over of_event as whole,
        row_number() over by_service = 1 as leads,
        greatest(scale(trim_scale(e.amount)), max(max(scale(trim_scale(l.amount)))) over of_event) as digits
      from payment_event e join assessment a on a.name = e.assessment
      left join assessment_line l on l.assessment = a.name and l.mda = e.mda
      cross join lateral (
        select coalesce(sum(h.amount), 0) as amount from refund r join refund_share h on h.refund = r.name
        where e.kind = 'reversal' and r.intent = e.intent and not r.booked and h.idx = l.idx
          and (r.status not in ('Declined', 'Failed') or r.updated_at > e.occurred_at)) b
      where a.line_count <> 1 and e.refund is null
      group by e.name, a.name, l.service
      window of_event as (partition by e.name, e.assessment, e.occurred_at),
        by_service as (partition by e.name, e.assessment, e.occurred_at order by l.service)
    ) p where p.whole > 0 or p.leads
  ) q
  join agency_calendar z on z.mda = q.mda
  left join counter_shift h on h.name = q.shift;
