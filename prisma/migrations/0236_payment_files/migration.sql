-- What files of payments are written from: with all that a copy of facts has of a payment, so that it can be filled from them, but for the
-- integrator, whom not everybody may see who may see the files.
drop view oversight.payment_part;
-- Events of a day are few, whatever the planner believes of them: their positions are looked up one by one.
create view oversight.payment_part as
  select p.position, s.event, s.occurred_at, s.local_at::date as local_day, extract(hour from s.local_at)::smallint as local_hour, s.mda, s.service,
    s.channel, s.station, s.counter, i.aggregator as provider, s.currency, s.kind, s.amount, s.event_amount, s.quantity, s.leads
  from event_share s left join payment_intent i on i.name = s.intent cross join lateral (
    select position from oversight_stream where kind = 'payment_event' and subject = s.event offset 0
  ) p;

create view oversight.event_integrator as select name as event, integrator from payment_event where integrator is not null;

-- Payment events that have no position in the stream yet.
create view oversight.unplaced_event as select subject as name from oversight_tail where kind = 'payment_event';

grant select on all tables in schema oversight to rail_oversight;
