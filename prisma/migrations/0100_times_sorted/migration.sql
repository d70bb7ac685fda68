-- How long people took to pay, sorted: a row for each month, currency, agency and channel, so that percentiles of any of them, or of many
-- together, are found without reading a row for each payment. Whoever writes facts moves these with them.

create table assessed_times (
  month date not null,
  currency text not null,
  mda text not null,
  channel text not null,
  -- From assessment to payment, ascending: of each paid assessment of the agency once.
  seconds double precision[] not null,
  primary key (month, currency, mda, channel)
);
-- Digits of moments hardly become fewer by being packed.
alter table assessed_times alter seconds set storage external;

-- Sorted seconds with some more, and less some.
create function move_times(seconds double precision[], added double precision[], removed double precision[])
returns double precision[] language sql immutable parallel safe
return array(select unnest(seconds || added) except all select unnest(removed) order by 1);

create function add_times() returns trigger language plpgsql as $$
begin
  insert into assessed_times as t (month, currency, mda, channel, seconds)
    select month, currency, mda, channel, array_agg(seconds order by seconds) from added where leads and seconds is not null
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (month, currency, mda, channel) do update set seconds = move_times(t.seconds, excluded.seconds, null);
  return null;
end $$;
create function remove_times() returns trigger language plpgsql as $$
begin
  update assessed_times t set seconds = move_times(t.seconds, null, r.seconds)
    from (
      select month, currency, mda, channel, array_agg(seconds) as seconds from removed where leads and seconds is not null group by 1, 2, 3, 4
    ) r
    where (t.month, t.currency, t.mda, t.channel) = (r.month, r.currency, r.mda, r.channel);
  return null;
end $$;
create trigger add_times after insert on assessed_fact referencing new table as added for each statement execute function add_times();
create trigger remove_times after delete on assessed_fact referencing old table as removed for each statement execute function remove_times();

-- What there is. Nobody adds up figures meanwhile: the triggers wait for whoever does, and whoever would waits for them.
insert into assessed_times
  select month, currency, mda, channel, array_agg(seconds order by seconds) from assessed_fact where leads and seconds is not null
  group by 1, 2, 3, 4;

-- Made anew as before, beginning with none.
create or replace function sum_assessed() returns void language plpgsql as $$
begin
  delete from assessed_times;
  delete from assessed_fact;
  delete from assessed_sum;
  insert into assessed_fact
    select person_in_month(s.salt, l.citizen, l.month), l.month,
      'DUE-' || left(encode(sha256(convert_to(s.salt || ' ' || l.assessment || ' ' || l.mda, 'UTF8')), 'hex'), 24), l.assessed_at, l.currency,
      l.mda, l.service, l.channel, l.status, l.amount, l.seconds, l.leads, l.owing_agency, l.owing_service, l.paying_agency, l.unpaid_agency,
      l.timed_agency, l.timed_channel, l.timed_service
    from assessed_live l cross join oversight_salt s order by l.month, l.mda;
  insert into assessed_sum
    select month, currency, mda, service, channel, status, count(*) filter (where leads), count(*), sum(amount),
      count(*) filter (where owing_agency), count(*) filter (where owing_service), count(*) filter (where paying_agency),
      count(*) filter (where unpaid_agency), count(*) filter (where timed_agency), count(*) filter (where timed_channel),
      count(*) filter (where timed_service)
    from assessed_fact group by 1, 2, 3, 4, 5, 6;
end $$;

-- The same as it is now: less what was true of whoever waits, and with what is.
create view oversight.assessed_times as
  with moved as (
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
  select month, currency, mda, channel,
    case when m.month is null then t.seconds else move_times(t.seconds, m.added, m.removed) end as seconds
  from assessed_times t full join moved m using (month, currency, mda, channel);
grant select on oversight.assessed_times to rail_oversight;
-- Collections are read of these and of the sums.
drop function oversight.collections(date, date, integer);
