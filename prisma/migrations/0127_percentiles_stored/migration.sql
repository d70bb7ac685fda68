-- Of sorted times their number and percentiles too, so that what is asked of one agency, channel and month is told without reading them.

-- As `percentile_cont` finds it, to the last digit; null of none.
create function seconds_at(seconds double precision[], part double precision)
returns double precision language sql immutable parallel safe
return (
  select seconds[floor(place)::int + 1]
    + (place - floor(place)) * (seconds[ceil(place)::int + 1] - seconds[floor(place)::int + 1])
  from (select part * (cardinality(seconds) - 1)::float8) p (place)
);

alter table assessed_times
  add column n integer generated always as (cardinality(seconds)) stored,
  add column p50 double precision generated always as (seconds_at(seconds, 0.5)) stored,
  add column p90 double precision generated always as (seconds_at(seconds, 0.9)) stored,
  add column p99 double precision generated always as (seconds_at(seconds, 0.99)) stored;

-- What nothing has moved is as it is stored, and found by its months; the little that something has is made here.
create or replace view oversight.assessed_times as
  with moved as materialized (
    select month, currency, mda, channel, array_agg(seconds) filter (where added) as added, array_agg(seconds) filter (where not added) as removed
    from (
      select f.month, f.currency, f.mda, f.channel, f.seconds, false as added
      from person_waiting w cross join lateral (select * from assessed_fact f where f.person = w.person offset 0) f
      where f.leads and f.seconds is not null
      union all
      select l.month, l.currency, l.mda, l.channel, l.seconds, true from oversight.assessed_waiting l where l.leads and l.seconds is not null
    ) q
    group by 1, 2, 3, 4
  )
  select month, currency, mda, channel, seconds, n, p50, p90, p99 from assessed_times
  where (month, currency, mda, channel) not in (select month, currency, mda, channel from moved)
  union all
  select month, currency, mda, channel, seconds, cardinality(seconds), seconds_at(seconds, 0.5), seconds_at(seconds, 0.9), seconds_at(seconds, 0.99)
  from (
    select m.month, m.currency, m.mda, m.channel, move_times(t.seconds, m.added, m.removed) as seconds
    from moved m left join assessed_times t using (month, currency, mda, channel) offset 0
  ) made;
