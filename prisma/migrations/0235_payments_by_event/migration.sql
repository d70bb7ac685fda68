-- Payments are facts of their events, which are only added to: each is read once, whatever becomes of its assessment, and no fact of a payment
-- names the assessment. What follows from the payments of an assessment is read again as before.
create or replace function feed_payment_events() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document)
  select distinct 'assessment', assessment from new_rows union all select 'payment', name from new_rows;
  return null;
end $$;

-- Most assessments have one line, which their events pay: these are joined. Of others shares are found by windows over the lines of an event, which
-- are parted by what events are looked up by, so that a condition on it still reaches an index. So facts are read in bulk, where a copy is filled,
-- and by the names of some documents after that.
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
    where a.line_count = 1
    union all
    select p.name, case when p.whole > 0 then p.service else '' end, p.occurred_at, p.mda, p.channel, p.currency, p.kind,
      case when p.line < p.whole then round(p.event_amount * p.upto / p.whole, p.digits) - round(p.event_amount * (p.upto - p.line) / p.whole, p.digits)
        else p.event_amount end,
      p.leads, p.shift, p.integrator, case when p.whole > 0 then p.quantity else 0 end::integer, p.assessment, p.intent, p.event_amount
    from (
      select e.name, l.service, e.occurred_at, e.mda, e.channel, e.currency, e.kind, e.amount as event_amount, a.shift, e.integrator, e.assessment,
        e.intent, sum(l.amount) as line, sum(l.quantity) as quantity, sum(sum(l.amount)) over by_service as upto, sum(sum(l.amount)) over of_event as whole,
        row_number() over by_service = 1 as leads,
        greatest(scale(trim_scale(e.amount)), max(max(scale(trim_scale(l.amount)))) over of_event) as digits
      from payment_event e join assessment a on a.name = e.assessment
      left join assessment_line l on l.assessment = a.name and l.mda = e.mda
      where a.line_count <> 1
      group by e.name, a.name, l.service
      window of_event as (partition by e.name, e.assessment, e.occurred_at),
        by_service as (partition by e.name, e.assessment, e.occurred_at order by l.service)
    ) p where p.whole > 0 or p.leads
  ) q
  join agency_calendar z on z.mda = q.mda
  left join counter_shift h on h.name = q.shift;
create or replace view oversight.fact_payment as
  select s.event as document, s.event, (s.occurred_at at time zone 'utc') as occurred_at, (s.occurred_at at time zone 'utc')::date as day,
    extract(hour from s.occurred_at at time zone 'utc')::smallint as hour, s.local_at::date as local_day, extract(hour from s.local_at)::smallint as local_hour,
    s.mda, s.service, s.channel, s.station, s.counter, s.integrator, s.currency, s.kind, s.amount, s.quantity, s.leads, i.aggregator as provider,
    s.event_amount
  from event_share s left join payment_intent i on i.name = s.intent;

-- Events, splits and the lines of what was paid never change. The counter and the provider of a payment do not either; where they are changed by
-- hand all the same, everything is read again.
alter function feed_time_zones() rename to remake_copies;
drop trigger feed_assessments on counter_shift;
create trigger feed_assessments after update on counter_shift for each row when (old.clerk is distinct from new.clerk)
  execute function feed_assessments_of_shift();
create trigger remake_copies after update on counter_shift for each row
  when ((old.mda, old.counter_label) is distinct from (new.mda, new.counter_label)) execute function remake_copies();
create trigger remake_copies after update on assessment for each row
  when (old.paid_at is not null and old.shift is distinct from new.shift) execute function remake_copies();
create trigger remake_copies after update on payment_intent for each row
  when (old.status = 'Confirmed' and old.aggregator is distinct from new.aggregator) execute function remake_copies();
