-- Days are days of an agency's country, and UTC days too: each sum is of one UTC day and of one day of the country, so that the same sums
-- answer both. Nearly all that happens on a day of one is on the same day of the other, so that there are hardly more of them.
-- The sums that are here already are made anew, three years of them in the course of this migration; nobody may fold meanwhile.
select pg_advisory_xact_lock(7283004);

-- What an agency's days and years go by.
create view agency_calendar as
  select m.name as mda, coalesce(c.time_zone, 'UTC') as time_zone, coalesce(c.fiscal_year_month, 1) as fiscal_year_month
  from mda m left join country c on c.code = m.country;

drop view oversight.revenue_daily, oversight.revenue_monthly, oversight.service_revenue_daily, oversight.service_revenue_monthly, oversight.tail,
  oversight.service_tail, event_share;
drop table revenue_daily, revenue_monthly, service_revenue_daily, service_revenue_monthly;

create table revenue_daily (
  day date not null,
  local_day date not null,
  mda text not null,
  channel channel not null,
  currency text not null,
  collected numeric(24, 4) not null,
  reversed numeric(24, 4) not null,
  payments integer not null,
  reversals integer not null,
  primary key (day, local_day, mda, channel, currency)
);
create table revenue_monthly (like revenue_daily including all);
create table service_revenue_daily (
  day date not null,
  local_day date not null,
  mda text not null,
  service text not null,
  channel channel not null,
  currency text not null,
  collected numeric(24, 4) not null,
  reversed numeric(24, 4) not null,
  payments integer not null,
  reversals integer not null,
  primary key (day, local_day, mda, service, channel, currency)
);
create table service_revenue_monthly (like service_revenue_daily including all);

-- What of an event pays which service, with all that revenue is grouped by. What no sum is kept of (hours, counters) is added up from it.
create table revenue_part (
  event text not null,
  -- '' of what no line explains.
  service text not null,
  occurred_at timestamptz(3) not null,
  -- The same by the clock of the agency's country.
  local_at timestamp(3) not null,
  mda text not null,
  channel channel not null,
  currency text not null,
  kind payment_event_kind not null,
  amount numeric(19, 4) not null,
  -- Of each event one part, by which events are counted.
  leads boolean not null,
  station text not null,
  counter text,
  integrator text
);
create index revenue_part_occurred_at_idx on revenue_part using brin (occurred_at);

-- In the proportion of the lines of its agency, rounded so that the parts are the whole. Whatever is taken within a shift is taken at its
-- counter, through whichever channel.
create view event_share as
  select e.name as event, coalesce(s.service, '') as service, e.occurred_at, e.occurred_at at time zone z.time_zone as local_at, e.mda, e.channel,
    e.currency, e.kind, coalesce(s.share, e.amount) as amount, coalesce(s.leads, true) as leads,
    case when a.shift is not null then 'counter' when e.integrator is not null then 'integrator' else 'other' end as station,
    case when a.shift is not null then concat_ws(' ', h.mda, nullif(trim(h.counter_label), '')) end as counter, e.integrator
  from payment_event e
  join agency_calendar z on z.mda = e.mda
  left join assessment a on a.name = e.assessment
  left join counter_shift h on h.name = a.shift
  left join lateral (
    select q.service, q.leads,
      round(e.amount * q.upto / q.whole, q.digits) - round(e.amount * (q.upto - q.amount) / q.whole, q.digits) as share
    from (
      select l.service, sum(l.amount) as amount, sum(sum(l.amount)) over (order by l.service) as upto, sum(sum(l.amount)) over () as whole,
        row_number() over (order by l.service) = 1 as leads,
        greatest(scale(trim_scale(e.amount)), max(max(scale(trim_scale(l.amount)))) over ()) as digits
      from assessment_line l where l.assessment = e.assessment and l.mda = e.mda group by l.service
    ) q where q.whole > 0
  ) s on true;

insert into revenue_part (event, service, occurred_at, local_at, mda, channel, currency, kind, amount, leads, station, counter, integrator)
select s.event, s.service, s.occurred_at, s.local_at, s.mda, s.channel, s.currency, s.kind, s.amount, s.leads, s.station, s.counter, s.integrator
from event_share s join oversight_stream o on o.kind = 'payment_event' and o.subject = s.event
order by s.occurred_at;
analyze revenue_part;

-- Makes the sums of some agencies anew, from what they are sums of.
create function sum_revenue(agencies text[]) returns void language plpgsql as $$
begin
  delete from revenue_daily where mda = any(agencies);
  delete from revenue_monthly where mda = any(agencies);
  delete from service_revenue_daily where mda = any(agencies);
  delete from service_revenue_monthly where mda = any(agencies);
  insert into revenue_daily (day, local_day, mda, channel, currency, collected, reversed, payments, reversals)
    select (occurred_at at time zone 'utc')::date, local_at::date, mda, channel, currency,
      coalesce(sum(amount) filter (where kind = 'payment'), 0), coalesce(-sum(amount) filter (where kind = 'reversal'), 0),
      count(*) filter (where leads and kind = 'payment'), count(*) filter (where leads and kind = 'reversal')
    from revenue_part where mda = any(agencies) group by 1, 2, 3, 4, 5;
  insert into revenue_monthly (day, local_day, mda, channel, currency, collected, reversed, payments, reversals)
    select date_trunc('month', day::timestamp)::date, date_trunc('month', local_day::timestamp)::date, mda, channel, currency,
      sum(collected), sum(reversed), sum(payments), sum(reversals)
    from revenue_daily where mda = any(agencies) group by 1, 2, 3, 4, 5;
  insert into service_revenue_daily (day, local_day, mda, service, channel, currency, collected, reversed, payments, reversals)
    select (occurred_at at time zone 'utc')::date, local_at::date, mda, service, channel, currency,
      coalesce(sum(amount) filter (where kind = 'payment'), 0), coalesce(-sum(amount) filter (where kind = 'reversal'), 0),
      count(*) filter (where kind = 'payment'), count(*) filter (where kind = 'reversal')
    from revenue_part where mda = any(agencies) group by 1, 2, 3, 4, 5, 6;
  insert into service_revenue_monthly (day, local_day, mda, service, channel, currency, collected, reversed, payments, reversals)
    select date_trunc('month', day::timestamp)::date, date_trunc('month', local_day::timestamp)::date, mda, service, channel, currency,
      sum(collected), sum(reversed), sum(payments), sum(reversals)
    from service_revenue_daily where mda = any(agencies) group by 1, 2, 3, 4, 5, 6;
end $$;
select sum_revenue((select array_agg(name) from mda));
analyze revenue_daily, revenue_monthly, service_revenue_daily, service_revenue_monthly;

-- Days that a country's time zone moves, or an agency's move to another country, are summed anew with it. Nobody folds meanwhile.
create function move_days(agencies text[]) returns void language plpgsql as $$
begin
  if agencies = '{}' then return; end if;
  perform pg_advisory_xact_lock(7283004);
  update revenue_part p set local_at = p.occurred_at at time zone z.time_zone
    from agency_calendar z where z.mda = p.mda and p.mda = any(agencies);
  perform sum_revenue(agencies);
end $$;
create function move_days_of_country() returns trigger language plpgsql as $$
begin
  perform move_days(array(select name from mda where country = new.code));
  return null;
end $$;
create trigger move_days_at_first after insert on country for each row execute function move_days_of_country();
create trigger move_days after update of time_zone on country for each row when (old.time_zone is distinct from new.time_zone)
  execute function move_days_of_country();
create function move_days_of_agency() returns trigger language plpgsql as $$
begin
  perform move_days(array[new.name]);
  return null;
end $$;
create trigger move_days after update of country on mda for each row when (old.country is distinct from new.country)
  execute function move_days_of_agency();

create view oversight.revenue_daily as select * from revenue_daily;
create view oversight.revenue_monthly as select * from revenue_monthly;
create view oversight.service_revenue_daily as select * from service_revenue_daily;
create view oversight.service_revenue_monthly as select * from service_revenue_monthly;
create view oversight.revenue_part as
  select occurred_at, local_at, mda, service, channel, currency, kind, amount, leads, station, counter, integrator from revenue_part;
-- The tail is short, whatever the planner believes of it: its events are looked up one by one.
create view oversight.tail as
  select (e.occurred_at at time zone 'utc')::date as day, (e.occurred_at at time zone e.time_zone)::date as local_day, e.mda, e.channel, e.currency,
    e.kind, e.amount
  from oversight_tail t cross join lateral (
    select e.*, z.time_zone from payment_event e join agency_calendar z on z.mda = e.mda where e.name = t.subject offset 0
  ) e where t.kind = 'payment_event';
create view oversight.part_tail as
  select (s.occurred_at at time zone 'utc')::date as day, s.local_at::date as local_day, s.occurred_at, s.local_at, s.mda, s.service, s.channel,
    s.currency, s.kind, s.amount, s.leads, s.station, s.counter, s.integrator
  from oversight_tail t cross join lateral (select * from event_share s where s.event = t.subject offset 0) s where t.kind = 'payment_event';

create or replace view oversight.agency as
  select m.name as mda, m.mda_name, m.country, m.mda_type, m.interaction_mode, m.status, m.region, m.district, z.time_zone, z.fiscal_year_month
  from mda m join agency_calendar z on z.mda = m.name;

grant select on oversight.revenue_daily, oversight.revenue_monthly, oversight.service_revenue_daily, oversight.service_revenue_monthly,
  oversight.revenue_part, oversight.tail, oversight.part_tail to rail_oversight;
