-- What agencies are owed, added up over their services, and what is unpaid, one assessment after another: most questions are about agencies
-- alone, and a page of what is unpaid is read in its order. Whoever writes facts moves these with them.

create table assessed_agency_sum (
  month date not null,
  currency text not null,
  mda text not null,
  channel text not null,
  status assessment_status not null,
  assessments integer not null,
  parts integer not null,
  amount numeric(24, 4) not null,
  owing_agency integer not null,
  paying_agency integer not null,
  unpaid_agency integer not null,
  timed_agency integer not null,
  timed_channel integer not null,
  primary key (month, currency, mda, channel, status)
);
-- What one agency is owed by one assessment.
create table assessed_unpaid (
  person bigint not null,
  name text not null,
  month date not null,
  assessed_at timestamptz(3) not null,
  currency text not null,
  mda text not null,
  amount numeric(24, 4) not null,
  primary key (person, name)
);
create index assessed_unpaid_oldest_idx on assessed_unpaid (assessed_at, name);
create index assessed_unpaid_largest_idx on assessed_unpaid (amount desc, assessed_at, name);
create index assessed_unpaid_agency_idx on assessed_unpaid (mda, assessed_at);

-- Of whoever has, or had, something unpaid: what is true of them once all facts are written, in whichever order that was. Each is looked
-- up, whatever the planner believes of rows that it has no statistics of.
create function list_unpaid(persons bigint[]) returns void language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  delete from assessed_unpaid u using (select distinct unnest(persons) as person) p where u.person = p.person;
  insert into assessed_unpaid (person, name, month, assessed_at, currency, mda, amount)
    select f.person, f.name, f.month, f.assessed_at, f.currency, f.mda, sum(f.amount)
    from (select distinct unnest(persons) as person) p
    cross join lateral (select * from assessed_fact f where f.person = p.person and f.status = 'Assessed' offset 0) f
    group by 1, 2, 3, 4, 5, 6;
end $$;

create function add_to_agencies() returns trigger language plpgsql as $$
begin
  insert into assessed_agency_sum as s
    select month, currency, mda, channel, status, count(*) filter (where leads), count(*), sum(amount), count(*) filter (where owing_agency),
      count(*) filter (where paying_agency), count(*) filter (where unpaid_agency), count(*) filter (where timed_agency),
      count(*) filter (where timed_channel)
    from added group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (month, currency, mda, channel, status) do update set assessments = s.assessments + excluded.assessments,
      parts = s.parts + excluded.parts, amount = s.amount + excluded.amount, owing_agency = s.owing_agency + excluded.owing_agency,
      paying_agency = s.paying_agency + excluded.paying_agency, unpaid_agency = s.unpaid_agency + excluded.unpaid_agency,
      timed_agency = s.timed_agency + excluded.timed_agency, timed_channel = s.timed_channel + excluded.timed_channel;
  perform list_unpaid(array(select person from added where status = 'Assessed'));
  return null;
end $$;
create function remove_from_agencies() returns trigger language plpgsql as $$
begin
  update assessed_agency_sum s set assessments = s.assessments - r.assessments, parts = s.parts - r.parts, amount = s.amount - r.amount,
      owing_agency = s.owing_agency - r.owing_agency, paying_agency = s.paying_agency - r.paying_agency,
      unpaid_agency = s.unpaid_agency - r.unpaid_agency, timed_agency = s.timed_agency - r.timed_agency,
      timed_channel = s.timed_channel - r.timed_channel
    from (
      select month, currency, mda, channel, status, count(*) filter (where leads) as assessments, count(*) as parts, sum(amount) as amount,
        count(*) filter (where owing_agency) as owing_agency, count(*) filter (where paying_agency) as paying_agency,
        count(*) filter (where unpaid_agency) as unpaid_agency, count(*) filter (where timed_agency) as timed_agency,
        count(*) filter (where timed_channel) as timed_channel
      from removed group by 1, 2, 3, 4, 5
    ) r
    where (s.month, s.currency, s.mda, s.channel, s.status) = (r.month, r.currency, r.mda, r.channel, r.status);
  perform list_unpaid(array(select person from removed where status = 'Assessed'));
  return null;
end $$;
create trigger add_to_agencies after insert on assessed_fact referencing new table as added for each statement execute function add_to_agencies();
create trigger remove_from_agencies after delete on assessed_fact referencing old table as removed
  for each statement execute function remove_from_agencies();

-- What there is. Nobody adds up figures meanwhile: the triggers wait for whoever does, and whoever would waits for them.
insert into assessed_agency_sum
  select month, currency, mda, channel, status, sum(assessments), sum(parts), sum(amount), sum(owing_agency), sum(paying_agency),
    sum(unpaid_agency), sum(timed_agency), sum(timed_channel)
  from assessed_sum group by 1, 2, 3, 4, 5;
insert into assessed_unpaid
  select person, name, month, assessed_at, currency, mda, sum(amount) from assessed_fact where status = 'Assessed' group by 1, 2, 3, 4, 5, 6;

-- Made anew as before, beginning with none.
create or replace function sum_assessed() returns void language plpgsql as $$
begin
  delete from assessed_times;
  delete from assessed_agency_sum;
  delete from assessed_unpaid;
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
create view oversight.assessed_agency_sum as
  select * from assessed_agency_sum
  union all
  select f.month, f.currency, f.mda, f.channel, f.status, -f.leads::integer, -1, -f.amount, -f.owing_agency::integer, -f.paying_agency::integer,
    -f.unpaid_agency::integer, -f.timed_agency::integer, -f.timed_channel::integer
  from person_waiting w cross join lateral (select * from assessed_fact f where f.person = w.person offset 0) f
  union all
  select l.month, l.currency, l.mda, l.channel, l.status, l.leads::integer, 1, l.amount, l.owing_agency::integer, l.paying_agency::integer,
    l.unpaid_agency::integer, l.timed_agency::integer, l.timed_channel::integer
  from oversight.assessed_waiting l;
-- Of whoever waits, too.
create view oversight.assessed_unpaid as select * from assessed_unpaid;
grant select on oversight.assessed_agency_sum, oversight.assessed_unpaid to rail_oversight;
