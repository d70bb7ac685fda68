-- Coarser sums, for questions over whole histories: of the whole country by day and channel and by day and hour; of counters and integrators
-- by month; of services without their channels. Sums by agency say where it was taken too. What is there already is summed in the course of
-- this migration, into new tables: nobody may fold meanwhile, nobody else waits.
select pg_advisory_xact_lock(7283004);

create table channel_revenue_daily (
  day date not null,
  local_day date not null,
  station text not null,
  channel channel not null,
  currency text not null,
  collected numeric(24, 4) not null,
  reversed numeric(24, 4) not null,
  payments integer not null,
  reversals integer not null,
  primary key (day, local_day, station, channel, currency)
);
create table revenue_hourly (
  day date not null,
  local_day date not null,
  -- Of UTC, and of the agency's country.
  hour smallint not null,
  local_hour smallint not null,
  currency text not null,
  collected numeric(24, 4) not null,
  reversed numeric(24, 4) not null,
  payments integer not null,
  reversals integer not null,
  primary key (day, local_day, hour, local_hour, currency)
);
create table place_revenue_monthly (
  day date not null,
  local_day date not null,
  station text not null,
  -- '' of what was taken at none.
  counter text not null,
  integrator text not null,
  channel channel not null,
  currency text not null,
  collected numeric(24, 4) not null,
  reversed numeric(24, 4) not null,
  payments integer not null,
  reversals integer not null,
  primary key (day, local_day, station, counter, integrator, channel, currency)
);
create table service_total_daily (
  day date not null,
  local_day date not null,
  mda text not null,
  service text not null,
  currency text not null,
  collected numeric(24, 4) not null,
  reversed numeric(24, 4) not null,
  payments integer not null,
  reversals integer not null,
  sold bigint not null,
  returned bigint not null,
  primary key (day, local_day, mda, service, currency)
);
create table service_total_monthly (like service_total_daily including all);
create table revenue_daily_by_station (
  day date not null,
  local_day date not null,
  mda text not null,
  station text not null,
  channel channel not null,
  currency text not null,
  collected numeric(24, 4) not null,
  reversed numeric(24, 4) not null,
  payments integer not null,
  reversals integer not null,
  primary key (day, local_day, mda, station, channel, currency)
);
create table revenue_monthly_by_station (like revenue_daily_by_station including all);

insert into revenue_daily_by_station (day, local_day, mda, station, channel, currency, collected, reversed, payments, reversals)
  select (occurred_at at time zone 'utc')::date, local_at::date, mda, station, channel, currency,
    coalesce(sum(amount) filter (where kind = 'payment'), 0), coalesce(-sum(amount) filter (where kind = 'reversal'), 0),
    count(*) filter (where leads and kind = 'payment'), count(*) filter (where leads and kind = 'reversal')
  from revenue_part group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6;
insert into revenue_monthly_by_station (day, local_day, mda, station, channel, currency, collected, reversed, payments, reversals)
  select date_trunc('month', day::timestamp)::date, date_trunc('month', local_day::timestamp)::date, mda, station, channel, currency,
    sum(collected), sum(reversed), sum(payments), sum(reversals)
  from revenue_daily_by_station group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6;

-- Those of services without their channels follow from those with them.
create function sum_service_totals(agencies text[]) returns void language plpgsql as $$
begin
  delete from service_total_daily where mda = any(agencies);
  delete from service_total_monthly where mda = any(agencies);
  insert into service_total_daily (day, local_day, mda, service, currency, collected, reversed, payments, reversals, sold, returned)
    select day, local_day, mda, service, currency, sum(collected), sum(reversed), sum(payments), sum(reversals), sum(sold), sum(returned)
    from service_revenue_daily where mda = any(agencies) group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5;
  insert into service_total_monthly (day, local_day, mda, service, currency, collected, reversed, payments, reversals, sold, returned)
    select day, local_day, mda, service, currency, sum(collected), sum(reversed), sum(payments), sum(reversals), sum(sold), sum(returned)
    from service_revenue_monthly where mda = any(agencies) group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5;
end $$;

-- Sums of no agency are of all of them, and made anew whole.
create function sum_country_revenue() returns void language plpgsql as $$
begin
  delete from channel_revenue_daily;
  delete from revenue_hourly;
  delete from place_revenue_monthly;
  insert into channel_revenue_daily (day, local_day, station, channel, currency, collected, reversed, payments, reversals)
    select (occurred_at at time zone 'utc')::date, local_at::date, station, channel, currency,
      coalesce(sum(amount) filter (where kind = 'payment'), 0), coalesce(-sum(amount) filter (where kind = 'reversal'), 0),
      count(*) filter (where leads and kind = 'payment'), count(*) filter (where leads and kind = 'reversal')
    from revenue_part group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5;
  insert into revenue_hourly (day, local_day, hour, local_hour, currency, collected, reversed, payments, reversals)
    select (occurred_at at time zone 'utc')::date, local_at::date, extract(hour from occurred_at at time zone 'utc'),
      extract(hour from local_at), currency,
      coalesce(sum(amount) filter (where kind = 'payment'), 0), coalesce(-sum(amount) filter (where kind = 'reversal'), 0),
      count(*) filter (where leads and kind = 'payment'), count(*) filter (where leads and kind = 'reversal')
    from revenue_part group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5;
  insert into place_revenue_monthly (day, local_day, station, counter, integrator, channel, currency, collected, reversed, payments, reversals)
    select date_trunc('month', occurred_at at time zone 'utc')::date, date_trunc('month', local_at)::date, station, coalesce(counter, ''),
      coalesce(integrator, ''), channel, currency,
      coalesce(sum(amount) filter (where kind = 'payment'), 0), coalesce(-sum(amount) filter (where kind = 'reversal'), 0),
      count(*) filter (where leads and kind = 'payment'), count(*) filter (where leads and kind = 'reversal')
    from revenue_part group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7;
end $$;

select sum_service_totals((select coalesce(array_agg(name), '{}') from mda));

select sum_country_revenue();

-- Makes the sums of some agencies anew, from what they are sums of.
create or replace function sum_revenue(agencies text[]) returns void language plpgsql as $$
begin
  delete from revenue_daily where mda = any(agencies);
  delete from revenue_monthly where mda = any(agencies);
  delete from service_revenue_daily where mda = any(agencies);
  delete from service_revenue_monthly where mda = any(agencies);
  delete from payment_size_monthly where mda = any(agencies);
  insert into revenue_daily (day, local_day, mda, station, channel, currency, collected, reversed, payments, reversals)
    select (occurred_at at time zone 'utc')::date, local_at::date, mda, station, channel, currency,
      coalesce(sum(amount) filter (where kind = 'payment'), 0), coalesce(-sum(amount) filter (where kind = 'reversal'), 0),
      count(*) filter (where leads and kind = 'payment'), count(*) filter (where leads and kind = 'reversal')
    from revenue_part where mda = any(agencies) group by 1, 2, 3, 4, 5, 6;
  insert into revenue_monthly (day, local_day, mda, station, channel, currency, collected, reversed, payments, reversals)
    select date_trunc('month', day::timestamp)::date, date_trunc('month', local_day::timestamp)::date, mda, station, channel, currency,
      sum(collected), sum(reversed), sum(payments), sum(reversals)
    from revenue_daily where mda = any(agencies) group by 1, 2, 3, 4, 5, 6;
  insert into service_revenue_daily (day, local_day, mda, service, channel, currency, collected, reversed, payments, reversals, sold, returned)
    select (occurred_at at time zone 'utc')::date, local_at::date, mda, service, channel, currency,
      coalesce(sum(amount) filter (where kind = 'payment'), 0), coalesce(-sum(amount) filter (where kind = 'reversal'), 0),
      count(*) filter (where kind = 'payment'), count(*) filter (where kind = 'reversal'),
      coalesce(sum(quantity) filter (where kind = 'payment'), 0), coalesce(sum(quantity) filter (where kind = 'reversal'), 0)
    from revenue_part where mda = any(agencies) group by 1, 2, 3, 4, 5, 6;
  insert into service_revenue_monthly (day, local_day, mda, service, channel, currency, collected, reversed, payments, reversals, sold, returned)
    select date_trunc('month', day::timestamp)::date, date_trunc('month', local_day::timestamp)::date, mda, service, channel, currency,
      sum(collected), sum(reversed), sum(payments), sum(reversals), sum(sold), sum(returned)
    from service_revenue_daily where mda = any(agencies) group by 1, 2, 3, 4, 5, 6;
  perform sum_service_totals(agencies);
  perform sum_country_revenue();
  -- The parts of an event are the whole of it.
  insert into payment_size_monthly (day, local_day, mda, channel, currency, amount, payments)
    select day, local_day, mda, channel, currency, amount, count(*)
    from (
      select date_trunc('month', occurred_at at time zone 'utc')::date as day, date_trunc('month', local_at)::date as local_day, mda, channel,
        currency, sum(amount) as amount
      from revenue_part where mda = any(agencies) and kind = 'payment' group by event, 1, 2, 3, 4, 5
    ) e
    group by 1, 2, 3, 4, 5, 6;
end $$;

-- Of agencies that nothing was paid to yet no day moves.
create or replace function move_days(agencies text[]) returns void language plpgsql as $$
begin
  if agencies = '{}' then return; end if;
  perform pg_advisory_xact_lock(7283004);
  update revenue_part p set local_at = p.occurred_at at time zone z.time_zone
    from agency_calendar z where z.mda = p.mda and p.mda = any(agencies);
  if found then perform sum_revenue(agencies); end if;
end $$;

analyze channel_revenue_daily, revenue_hourly, place_revenue_monthly, service_total_daily, service_total_monthly, revenue_daily_by_station,
  revenue_monthly_by_station;

-- In the place of those that they replace, only now: who reads them waits for no more than this.
drop view oversight.revenue_daily, oversight.revenue_monthly;
drop table revenue_daily, revenue_monthly;
alter table revenue_daily_by_station rename to revenue_daily;
alter table revenue_monthly_by_station rename to revenue_monthly;
alter index revenue_daily_by_station_pkey rename to revenue_daily_pkey;
alter index revenue_monthly_by_station_pkey rename to revenue_monthly_pkey;

create view oversight.channel_revenue_daily as select * from channel_revenue_daily;
create view oversight.revenue_hourly as select * from revenue_hourly;
create view oversight.place_revenue_monthly as select * from place_revenue_monthly;
create view oversight.service_total_daily as select * from service_total_daily;
create view oversight.service_total_monthly as select * from service_total_monthly;
create view oversight.revenue_daily as select * from revenue_daily;
create view oversight.revenue_monthly as select * from revenue_monthly;
grant select on oversight.channel_revenue_daily, oversight.revenue_hourly, oversight.place_revenue_monthly, oversight.service_total_daily,
  oversight.service_total_monthly, oversight.revenue_daily, oversight.revenue_monthly to rail_oversight;
