-- What datasets are written from: what each payment event paid of which service, with the event's position in the stream.
-- Parts of a day are few, whatever the planner believes of them: their positions are looked up one by one.
create view oversight.payment_part as
  select s.position, p.event, p.occurred_at, p.mda, p.service, p.channel, p.currency, p.kind, p.amount, p.quantity, p.leads, p.station, p.counter
  from revenue_part p cross join lateral (
    select position from oversight_stream where kind = 'payment_event' and subject = p.event offset 0
  ) s;
grant select on oversight.payment_part to rail_oversight;
