-- Events of a day are few, even if the planner estimates many: their positions are looked up one by one.
create or replace view oversight.payment_part as
  select p.position, s.event, s.occurred_at, s.local_at::date as local_day, extract(hour from s.local_at)::smallint as local_hour, s.mda, s.service,
    s.channel, s.station, s.counter, i.aggregator as provider, s.currency, s.kind, s.amount, s.event_amount, s.quantity, s.leads
  from event_share s left join payment_intent i on i.name = s.intent cross join lateral (
    select position from oversight_stream where kind = 'payment_event' and subject = s.event offset 0
  ) p;
