-- By JSON, since the view is made on databases too that have no such column yet: those of before the baseline are compared with it.
create or replace view oversight.fact_payment as
  select s.event as document, s.event, (s.occurred_at at time zone 'utc') as occurred_at, (s.occurred_at at time zone 'utc')::date as day,
    extract(hour from s.occurred_at at time zone 'utc')::smallint as hour, s.local_at::date as local_day, extract(hour from s.local_at)::smallint as local_hour,
    s.mda, s.service, s.channel, s.station, s.counter, s.integrator, s.currency, s.kind, s.amount, s.quantity, s.leads, i.aggregator as provider,
    s.event_amount, (select to_jsonb(e) ->> 'proof' from payment_event e where e.name = s.event) as proof
  from event_share s left join payment_intent i on i.name = s.intent;
