-- Sums of counters and integrators by day: for the days before and after the whole months of a span, and whatever is asked by day. What is
-- there already is summed in the course of this migration, into a new table: nobody may fold meanwhile, nobody else waits.
select pg_advisory_xact_lock(7283004);

create table place_revenue_daily (like place_revenue_monthly including all);

-- Sums of no agency are of all of them, and made anew whole.
create or replace function sum_country_revenue() returns void language plpgsql as $$
begin
  delete from channel_revenue_daily;
  delete from revenue_hourly;
  delete from place_revenue_daily;
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
  perform sum_places();
  insert into place_revenue_monthly (day, local_day, station, counter, integrator, channel, currency, collected, reversed, payments, reversals)
    select date_trunc('month', day::timestamp)::date, date_trunc('month', local_day::timestamp)::date, station, counter, integrator, channel,
      currency, sum(collected), sum(reversed), sum(payments), sum(reversals)
    from place_revenue_daily group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7;
end $$;
create function sum_places() returns void language sql as $$
  insert into place_revenue_daily (day, local_day, station, counter, integrator, channel, currency, collected, reversed, payments, reversals)
    select (occurred_at at time zone 'utc')::date, local_at::date, station, coalesce(counter, ''), coalesce(integrator, ''), channel, currency,
      coalesce(sum(amount) filter (where kind = 'payment'), 0), coalesce(-sum(amount) filter (where kind = 'reversal'), 0),
      count(*) filter (where leads and kind = 'payment'), count(*) filter (where leads and kind = 'reversal')
    from revenue_part group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
$$;

select sum_places();
analyze place_revenue_daily;

create view oversight.place_revenue_daily as select * from place_revenue_daily;
grant select on oversight.place_revenue_daily to rail_oversight;
