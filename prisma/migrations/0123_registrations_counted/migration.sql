-- People registered, counted by day: auditors ask of years of them. A change queues its day, which a job counts anew; until then questions
-- count it themselves.
create table registration_tail (id bigint generated always as identity primary key, day date not null);
create table registration_sum (
  day date not null,
  source text not null,
  -- Empty where nobody knows for which agency.
  mda text not null,
  people integer not null,
  primary key (day, source, mda)
);
-- The same by the first day of the month: moved with it.
create table registration_monthly (
  month date not null,
  source text not null,
  mda text not null,
  people integer not null,
  primary key (month, source, mda)
);
create function add_up_registrations() returns trigger language plpgsql as $$
begin
  insert into registration_monthly as m (month, source, mda, people)
    select date_trunc('month', day::timestamp)::date, source, mda, sum(case when tg_op = 'DELETE' then -people else people end)
    from moved group by 1, 2, 3 order by 1, 2, 3
    on conflict (month, source, mda) do update set people = m.people + excluded.people;
  return null;
end $$;
create trigger add_up_registrations after insert on registration_sum referencing new table as moved for each statement
  execute function add_up_registrations();
create trigger take_off_registrations after delete on registration_sum referencing old table as moved for each statement
  execute function add_up_registrations();
alter table registration_sum enable always trigger add_up_registrations, enable always trigger take_off_registrations;

-- By the identity authority, with the first consent that somebody gave for an agency; by hand, where there is no consent. What else there is
-- of a person is looked up, however many people there are.
create function count_registrations(days date[]) returns table (day date, source text, mda text, people integer)
language sql stable as $$
  select d.day, 'identity_authority', coalesce(c.mda, ''), count(*)::integer
  from unnest(days) d (day) cross join lateral (
    select c.mda from consent_event c
    where c.created_at >= d.day::timestamp at time zone 'utc' and c.created_at < (d.day + 1)::timestamp at time zone 'utc'
      and c.name = (
        select b.name from consent_event b where b.citizen = c.citizen and b.mda is not distinct from c.mda
        order by b.created_at, b.name limit 1)
    offset 0
  ) c group by d.day, c.mda
  union all
  select d.day, 'by_hand', '', count(*)::integer
  from unnest(days) d (day) cross join lateral (
    select from citizen c
    where c.created_at >= d.day::timestamp at time zone 'utc' and c.created_at < (d.day + 1)::timestamp at time zone 'utc'
      and (select e.name from consent_event e where e.citizen = c.name limit 1) is null
    offset 0
  ) c group by d.day
$$;

-- Whatever writes: bulk loads that switch other triggers off are noticed too.
create function queue_registrations() returns trigger language plpgsql as $$
begin
  insert into registration_tail (day) select distinct (created_at at time zone 'utc')::date from added;
  return null;
end $$;
create function queue_registrations_anew() returns trigger language plpgsql as $$
begin
  insert into registration_tail (day)
    select distinct (v.at at time zone 'utc')::date from (values (old.created_at), (new.created_at)) v (at) where v.at is not null;
  return null;
end $$;
-- Nobody was registered by hand any more who has consented, and later consents for the same agency are no longer the first. Two consents of
-- one person wait for one another here, so that one of them sees both.
create function queue_consents() returns trigger language plpgsql as $$
begin
  perform from citizen where name in (select citizen from added) order by name for no key update;
  insert into registration_tail (day)
    select (created_at at time zone 'utc')::date from added
    union
    select (c.created_at at time zone 'utc')::date from added a cross join lateral (
      select created_at from citizen where name = a.citizen offset 0) c
    union
    select (e.created_at at time zone 'utc')::date from added a cross join lateral (
      select * from consent_event b where b.citizen = a.citizen offset 0) e
    where e.mda is not distinct from a.mda and (e.created_at, e.name) > (a.created_at, a.name);
  return null;
end $$;
create trigger queue_registrations after insert on citizen referencing new table as added for each statement execute function queue_registrations();
create trigger queue_registrations_anew after update on citizen for each row when (old.created_at is distinct from new.created_at)
  execute function queue_registrations_anew();
create trigger queue_registrations_gone after delete on citizen for each row execute function queue_registrations_anew();
create trigger queue_consents after insert on consent_event referencing new table as added for each statement execute function queue_consents();
alter table citizen enable always trigger queue_registrations, enable always trigger queue_registrations_anew,
  enable always trigger queue_registrations_gone;
alter table consent_event enable always trigger queue_consents;

-- All that there is waits: a job counts it.
insert into registration_tail (day)
  select (created_at at time zone 'utc')::date from citizen union select (created_at at time zone 'utc')::date from consent_event order by 1;

-- Of the days from one to another, by the `day`, `month` or `year` that they are part of, called by its first day. Whole months are sums of
-- months; what waits to be counted anew is taken off and added as it is now.
create function oversight.registrations(from_day date, to_day date, unit text)
returns table (source text, mda text, day date, people bigint)
language sql stable security definer set search_path = public as $$
  with waiting as materialized (
    select distinct t.day from registration_tail t where t.day between from_day and to_day
  ), span as materialized (
    select unit <> 'day' and extract(day from from_day) = 1 and extract(day from to_day + 1) = 1 as months
  )
  select r.source, nullif(r.mda, ''), date_trunc(unit, r.day::timestamp)::date, sum(r.people)
  from (
    select m.source, m.mda, m.month as day, m.people from registration_monthly m
    where (select months from span) and m.month between from_day and to_day
    union all
    select s.source, s.mda, s.day, s.people from registration_sum s
    where not (select months from span) and s.day between from_day and to_day
    union all
    select s.source, s.mda, s.day, -s.people from waiting w join registration_sum s on s.day = w.day
    union all
    select c.source, c.mda, c.day, c.people from count_registrations(array(select w.day from waiting w)) c
  ) r group by 1, 2, 3 having sum(r.people) > 0
$$;
revoke all on function count_registrations(date[]), oversight.registrations(date, date, text) from public;
grant execute on function oversight.registrations(date, date, text) to rail_oversight;
drop function oversight.consents(date, date);
drop function oversight.entered_by_hand(date, date);
