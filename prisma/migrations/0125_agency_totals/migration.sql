-- Sums of agencies through all channels and wherever it was taken, by day and month: what most questions about agencies are about, and a
-- fourth of the rows. What is there already is summed in the course of this migration, into new tables: nobody may fold meanwhile, nobody
-- else waits.
select pg_advisory_xact_lock(7283004);

create table agency_total_daily (
  day date not null,
  local_day date not null,
  mda text not null,
  currency text not null,
  collected numeric(24, 4) not null,
  reversed numeric(24, 4) not null,
  payments integer not null,
  reversals integer not null,
  primary key (day, local_day, mda, currency)
);
create table agency_total_monthly (like agency_total_daily including all);

-- They follow from those that say where and through which channel.
create function sum_agency_totals(agencies text[]) returns void language plpgsql as $$
begin
  delete from agency_total_daily where mda = any(agencies);
  delete from agency_total_monthly where mda = any(agencies);
  insert into agency_total_daily (day, local_day, mda, currency, collected, reversed, payments, reversals)
    select day, local_day, mda, currency, sum(collected), sum(reversed), sum(payments), sum(reversals)
    from revenue_daily where mda = any(agencies) group by 1, 2, 3, 4 order by 1, 2, 3, 4;
  insert into agency_total_monthly (day, local_day, mda, currency, collected, reversed, payments, reversals)
    select day, local_day, mda, currency, sum(collected), sum(reversed), sum(payments), sum(reversals)
    from revenue_monthly where mda = any(agencies) group by 1, 2, 3, 4 order by 1, 2, 3, 4;
end $$;

select sum_agency_totals((select coalesce(array_agg(name), '{}') from mda));
analyze agency_total_daily, agency_total_monthly;

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
  perform sum_agency_totals(agencies);
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

create view oversight.agency_total_daily as select * from agency_total_daily;
create view oversight.agency_total_monthly as select * from agency_total_monthly;
grant select on oversight.agency_total_daily, oversight.agency_total_monthly to rail_oversight;
