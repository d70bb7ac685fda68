-- Facts are read in bulk where a copy is filled, and by the names of some documents after that. Shares of an event are found by windows over its
-- lines, in place of a look-up for each event. What the windows are parted by are the columns by which events are looked up, so that a condition
-- on them still reaches an index.
create or replace view event_share as
  select q.event, q.service, q.occurred_at, q.occurred_at at time zone z.time_zone as local_at, q.mda, q.channel, q.currency, q.kind, q.amount, q.leads,
    case when a.shift is not null then 'counter' when q.integrator is not null then 'integrator' else 'other' end as station,
    case when a.shift is not null then concat_ws(' ', h.mda, nullif(trim(h.counter_label), '')) end as counter, q.integrator,
    q.quantity::integer as quantity, q.assessment, q.intent, q.event_amount
  from (
    select p.name as event, case when p.whole > 0 then p.service else '' end as service, p.occurred_at, p.mda, p.channel, p.currency, p.kind,
      case when p.whole > 0 then round(p.event_amount * p.upto / p.whole, p.digits) - round(p.event_amount * (p.upto - p.line) / p.whole, p.digits)
        else p.event_amount end as amount,
      p.leads, case when p.whole > 0 then p.quantity else 0 end as quantity, p.integrator, p.assessment, p.intent, p.event_amount
    from (
      select e.name, l.service, e.occurred_at, e.mda, e.channel, e.currency, e.kind, e.amount as event_amount, e.integrator, e.assessment, e.intent,
        sum(l.amount) as line, sum(l.quantity) as quantity, sum(sum(l.amount)) over by_service as upto, sum(sum(l.amount)) over of_event as whole,
        row_number() over by_service = 1 as leads,
        greatest(scale(trim_scale(e.amount)), max(max(scale(trim_scale(l.amount)))) over of_event) as digits
      from payment_event e left join assessment_line l on l.assessment = e.assessment and l.mda = e.mda
      group by e.name, l.service
      window of_event as (partition by e.name, e.assessment, e.occurred_at),
        by_service as (partition by e.name, e.assessment, e.occurred_at order by l.service)
    ) p where p.whole > 0 or p.leads
  ) q
  join agency_calendar z on z.mda = q.mda
  left join assessment a on a.name = q.assessment
  left join counter_shift h on h.name = a.shift;

-- A function that says that it is immutable, and calls one that is not, is called for each row; this one is made part of the statement.
create or replace function person_number(salt text, purpose text, citizen text) returns bigint language sql stable parallel safe
return ('x' || encode(substr(sha256(convert_to(salt || purpose || citizen, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint;
alter function failure_cause(text) parallel safe;
