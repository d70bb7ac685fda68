-- Figures of payments are computed from facts, in the columnar copy that a process keeps: what was added up for them goes.
-- Nobody places events in the stream meanwhile.
select pg_advisory_xact_lock(7283004);

drop view oversight.revenue_daily, oversight.revenue_monthly, oversight.agency_total_daily, oversight.agency_total_monthly,
  oversight.service_revenue_daily, oversight.service_revenue_monthly, oversight.service_total_daily, oversight.service_total_monthly,
  oversight.channel_revenue_daily, oversight.revenue_hourly, oversight.place_revenue_monthly, oversight.place_revenue_daily,
  oversight.payment_size_monthly, oversight.payment_size_yearly, oversight.revenue_part, oversight.payment_part, oversight.collected,
  oversight.tail, oversight.part_tail, oversight.event;

drop trigger move_days_at_first on country;
drop trigger move_days on country;
drop trigger move_days on mda;
drop function move_days_of_country, move_days_of_agency, move_days, sum_revenue, sum_agency_totals, sum_service_totals, sum_country_revenue, sum_places;

drop table payment_size_monthly cascade;
drop function move_sizes;
drop table revenue_daily, revenue_monthly, agency_total_daily, agency_total_monthly, service_revenue_daily, service_revenue_monthly,
  service_total_daily, service_total_monthly, channel_revenue_daily, revenue_hourly, place_revenue_monthly, place_revenue_daily,
  payment_size_yearly, collected_daily, revenue_part;

-- Agencies may be there before their country, by whose time zone their days are then told.
create function feed_first_time_zone() returns trigger language plpgsql as $$
begin
  if exists (select from mda where country = new.code) then update fact_feed set epoch = epoch + 1; end if;
  return null;
end $$;
create trigger feed_first_time_zone after insert on country for each row execute function feed_first_time_zone();

-- With what the whole event paid.
create or replace view event_share as
  select e.name as event, coalesce(s.service, '') as service, e.occurred_at, e.occurred_at at time zone z.time_zone as local_at, e.mda, e.channel,
    e.currency, e.kind, coalesce(s.share, e.amount) as amount, coalesce(s.leads, true) as leads,
    case when a.shift is not null then 'counter' when e.integrator is not null then 'integrator' else 'other' end as station,
    case when a.shift is not null then concat_ws(' ', h.mda, nullif(trim(h.counter_label), '')) end as counter, e.integrator,
    coalesce(s.quantity, 0)::integer as quantity, e.assessment, e.intent, e.amount as event_amount
  from payment_event e
  join agency_calendar z on z.mda = e.mda
  left join assessment a on a.name = e.assessment
  left join counter_shift h on h.name = a.shift
  left join lateral (
    select q.service, q.leads, q.quantity,
      round(e.amount * q.upto / q.whole, q.digits) - round(e.amount * (q.upto - q.amount) / q.whole, q.digits) as share
    from (
      select l.service, sum(l.amount) as amount, sum(l.quantity) as quantity, sum(sum(l.amount)) over (order by l.service) as upto,
        sum(sum(l.amount)) over () as whole, row_number() over (order by l.service) = 1 as leads,
        greatest(scale(trim_scale(e.amount)), max(max(scale(trim_scale(l.amount)))) over ()) as digits
      from assessment_line l where l.assessment = e.assessment and l.mda = e.mda group by l.service
    ) q where q.whole > 0
  ) s on true;
create or replace view oversight.fact_payment as
  select s.assessment as document, s.event, (s.occurred_at at time zone 'utc') as occurred_at, (s.occurred_at at time zone 'utc')::date as day,
    extract(hour from s.occurred_at at time zone 'utc')::smallint as hour, s.local_at::date as local_day, extract(hour from s.local_at)::smallint as local_hour,
    s.mda, s.service, s.channel, s.station, s.counter, s.integrator, s.currency, s.kind, s.amount, s.quantity, s.leads, i.aggregator as provider,
    s.event_amount
  from event_share s join payment_intent i on i.name = s.intent;

-- What datasets are written from: what each payment event that has a position in the stream paid of which service.
-- Events of a day are few, whatever the planner believes of them: their positions are looked up one by one.
create view oversight.payment_part as
  select p.position, s.event, s.occurred_at, s.mda, s.service, s.channel, s.currency, s.kind, s.amount, s.quantity, s.leads, s.station, s.counter
  from event_share s cross join lateral (
    select position from oversight_stream where kind = 'payment_event' and subject = s.event offset 0
  ) p;

grant select on all tables in schema oversight to rail_oversight;
