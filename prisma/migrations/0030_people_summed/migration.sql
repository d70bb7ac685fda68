-- Figures about people from sums, as exact as those of revenue. How many different people something is about cannot be added up, unless
-- each is counted in one place: so of the facts of one person in one month, one row is the first of each part that people are counted in.
-- A change of anything of a person's month has all facts of it made anew; until then it waits in `person_tail`, and whoever asks reads the
-- sums, less the facts of those who wait, and what is true of them now.

create table person_tail (
  id bigint generated always as identity primary key,
  citizen text not null,
  month date not null
);

-- What was assessed of a person in a month: a row for each service of each assessment.
create table assessed_fact (
  -- A number of the person in this month, which leads to nobody.
  person bigint not null,
  month date not null,
  -- Of the assessment and the agency, as oversight lists it while it is unpaid.
  name text not null,
  assessed_at timestamptz(3) not null,
  currency text not null,
  mda text not null,
  service text not null,
  -- '' of what was not paid.
  channel text not null,
  status assessment_status not null,
  amount numeric(19, 4) not null,
  -- From assessment to payment.
  seconds double precision,
  -- The first of its assessment and agency.
  leads boolean not null,
  -- The first of its person and month for: agency (in the currency), service of it; paid to the agency, and unpaid.
  owing_agency boolean not null,
  owing_service boolean not null,
  paying_agency boolean not null,
  unpaid_agency boolean not null,
  -- Of what was paid, in whatever currency, the first for: agency, channel of it, service of that.
  timed_agency boolean not null,
  timed_channel boolean not null,
  timed_service boolean not null
);
create table assessed_sum (
  month date not null,
  currency text not null,
  mda text not null,
  service text not null,
  channel text not null,
  status assessment_status not null,
  -- Of assessments by agency, and by agency and service.
  assessments integer not null,
  parts integer not null,
  amount numeric(24, 4) not null,
  owing_agency integer not null,
  owing_service integer not null,
  paying_agency integer not null,
  unpaid_agency integer not null,
  timed_agency integer not null,
  timed_channel integer not null,
  timed_service integer not null,
  primary key (month, currency, mda, service, channel, status)
);

-- Attempts of a person to pay in a month, each of the agency that gets the largest part of it.
create table attempt_fact (
  person bigint not null,
  month date not null,
  channel text not null,
  mda text not null,
  status intent_status not null,
  cause text not null,
  -- The first of its person and month for: channel, agency of it.
  trying_channel boolean not null,
  trying_agency boolean not null
);
create table attempt_sum (
  month date not null,
  channel text not null,
  mda text not null,
  status intent_status not null,
  cause text not null,
  attempts integer not null,
  trying_channel integer not null,
  trying_agency integer not null,
  primary key (month, channel, mda, status, cause)
);

-- The months in which a person paid an agency; `first` of the earliest.
create table payer_fact (
  citizen text not null,
  mda text not null,
  month date not null,
  first boolean not null
);
create table payer_sum (
  month date not null,
  mda text not null,
  people integer not null,
  first integer not null,
  primary key (month, mda)
);

create function person_in_month(salt text, citizen text, month date) returns bigint language sql immutable parallel safe
return ('x' || encode(substr(sha256(convert_to(salt || to_char(month, 'YYYYMM') || citizen, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint;

-- The same of all people and months, as it is now.
create view assessed_live as
  select q.*,
    row_number() over (partition by citizen, month, assessment, mda order by service) = 1 as leads,
    row_number() over (partition by citizen, month, currency, mda order by assessment, service) = 1 as owing_agency,
    row_number() over (partition by citizen, month, currency, mda, service order by assessment) = 1 as owing_service,
    seconds is not null
      and row_number() over (partition by citizen, month, currency, mda, seconds is null order by assessment, service) = 1 as paying_agency,
    status = 'Assessed'
      and row_number() over (partition by citizen, month, currency, mda, status = 'Assessed' order by assessment, service) = 1 as unpaid_agency,
    seconds is not null
      and row_number() over (partition by citizen, month, mda, seconds is null order by assessment, service) = 1 as timed_agency,
    seconds is not null
      and row_number() over (partition by citizen, month, mda, channel, seconds is null order by assessment, service) = 1 as timed_channel,
    seconds is not null
      and row_number() over (partition by citizen, month, mda, channel, service, seconds is null order by assessment) = 1 as timed_service
  from (
    select a.citizen, date_trunc('month', a.assessed_at at time zone 'utc')::date as month, a.name as assessment, a.assessed_at, a.currency,
      l.mda, l.service, a.status, sum(l.amount) as amount, extract(epoch from a.paid_at - a.assessed_at)::double precision as seconds,
      coalesce((
        select i.channel::text from payment_intent i where i.assessment = a.name and i.status = 'Confirmed'
        order by i.confirmed_at, i.name limit 1), '') as channel
    from assessment a join assessment_line l on l.assessment = a.name
    where a.assessed_at is not null group by a.name, l.mda, l.service
  ) q;
create view attempt_live as
  select q.*,
    row_number() over (partition by citizen, month, channel order by intent) = 1 as trying_channel,
    row_number() over (partition by citizen, month, channel, mda order by intent) = 1 as trying_agency
  from (
    select a.citizen, date_trunc('month', i.created_at at time zone 'utc')::date as month, i.name as intent, i.channel::text as channel,
      coalesce((select r.mda from split_rule r where r.intent = i.name order by r.amount desc, r.mda limit 1), '') as mda, i.status,
      case i.status when 'Failed' then failure_cause(i.failure_reason) when 'Expired' then 'expired' else '' end as cause
    from payment_intent i join assessment a on a.name = i.assessment
    where i.status <> 'Pending'
  ) q;
create view payer_live as
  select citizen, mda, month, row_number() over (partition by citizen, mda order by month) = 1 as first
  from (
    select distinct a.citizen, e.mda, date_trunc('month', e.occurred_at at time zone 'utc')::date as month
    from payment_event e join assessment a on a.name = e.assessment where e.kind = 'payment'
  ) q;

-- These make all facts and sums anew, where so many wait that it takes less time than to make those of each. What is written meanwhile
-- waits.
create function sum_assessed() returns void language plpgsql as $$
begin
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
create function sum_attempts() returns void language plpgsql as $$
begin
  delete from attempt_fact;
  delete from attempt_sum;
  insert into attempt_fact
    select person_in_month(s.salt, l.citizen, l.month), l.month, l.channel, l.mda, l.status, l.cause, l.trying_channel, l.trying_agency
    from attempt_live l cross join oversight_salt s order by l.month, l.channel, l.mda;
  insert into attempt_sum
    select month, channel, mda, status, cause, count(*), count(*) filter (where trying_channel), count(*) filter (where trying_agency)
    from attempt_fact group by 1, 2, 3, 4, 5;
end $$;
create function sum_payers() returns void language plpgsql as $$
begin
  delete from payer_fact;
  delete from payer_sum;
  insert into payer_fact select citizen, mda, month, first from payer_live;
  insert into payer_sum select month, mda, count(*), count(*) filter (where first) from payer_fact group by 1, 2;
end $$;

create index assessed_fact_person_idx on assessed_fact (person);
create index assessed_fact_part_idx on assessed_fact (month, mda, service);
create index assessed_fact_unpaid_idx on assessed_fact (mda, month) where status = 'Assessed';
create index attempt_fact_person_idx on attempt_fact (person);
create index attempt_fact_part_idx on attempt_fact (month, channel, mda);
create index payer_fact_citizen_idx on payer_fact (citizen);

-- Whose months change, whoever writes: bulk loads that switch other triggers off are noticed too.
create function queue_assessed() returns trigger language plpgsql as $$
begin
  insert into person_tail (citizen, month)
    select citizen, date_trunc('month', assessed_at at time zone 'utc')::date
    from (values (new.citizen, new.assessed_at)) v (citizen, assessed_at) where assessed_at is not null;
  if tg_op = 'UPDATE' and old.assessed_at is not null
    and (old.citizen is distinct from new.citizen or old.assessed_at is distinct from new.assessed_at) then
    insert into person_tail (citizen, month) values (old.citizen, date_trunc('month', old.assessed_at at time zone 'utc')::date);
  end if;
  return null;
end $$;
create trigger queue_assessed after insert on assessment for each row when (new.assessed_at is not null) execute function queue_assessed();
create trigger queue_reassessed after update on assessment for each row
  when ((old.assessed_at is not null or new.assessed_at is not null)
    and (old.citizen, old.status, old.currency, old.assessed_at, old.paid_at) is distinct from
      (new.citizen, new.status, new.currency, new.assessed_at, new.paid_at))
  execute function queue_assessed();
create function queue_attempt() returns trigger language plpgsql as $$
begin
  -- Its assessment too may be of a month: how it was paid is part of what is said of that.
  insert into person_tail (citizen, month)
    select a.citizen, m.month from assessment a cross join lateral (
      select date_trunc('month', new.created_at at time zone 'utc')::date as month
      union select date_trunc('month', a.assessed_at at time zone 'utc')::date where new.status = 'Confirmed' and a.assessed_at is not null
    ) m where a.name = new.assessment;
  return null;
end $$;
create trigger queue_attempt after insert on payment_intent for each row when (new.status <> 'Pending') execute function queue_attempt();
create trigger queue_attempted after update on payment_intent for each row when (old.status is distinct from new.status
  or (new.status = 'Failed' and old.failure_reason is distinct from new.failure_reason)) execute function queue_attempt();
alter table assessment enable always trigger queue_assessed, enable always trigger queue_reassessed;
alter table payment_intent enable always trigger queue_attempt, enable always trigger queue_attempted;
create or replace function queue_payment_events() returns trigger language plpgsql as $$
begin
  insert into oversight_tail (kind, subject) select 'payment_event', name from added;
  insert into unsealed_event (mda, event) select mda, name from added;
  insert into person_tail (citizen, month)
    select a.citizen, min(date_trunc('month', e.occurred_at at time zone 'utc')::date)
    from added e join assessment a on a.name = e.assessment where e.kind = 'payment' group by 1;
  return null;
end $$;

-- All that there is waits: a job makes the sums, while everybody pays on.
insert into person_tail (citizen, month)
  select citizen, date_trunc('month', assessed_at at time zone 'utc')::date from assessment where assessed_at is not null
  union
  select a.citizen, date_trunc('month', i.created_at at time zone 'utc')::date from payment_intent i join assessment a on a.name = i.assessment
  where i.status <> 'Pending'
  union
  select a.citizen, date_trunc('month', e.occurred_at at time zone 'utc')::date from payment_event e join assessment a on a.name = e.assessment;

-- Who waits.
create view person_waiting as
  select distinct t.citizen, t.month, person_in_month(s.salt, t.citizen, t.month) as person from person_tail t cross join oversight_salt s;

drop view oversight.assessed, oversight.assessed_service, oversight.attempt;
-- Facts as they were added up, those of whoever waits among them; of these, what is true now; and all facts as they are now.
create view oversight.person_waiting as select person from person_waiting;
create view oversight.assessed_stored as select * from assessed_fact;
create view oversight.assessed_waiting as
  select w.person, l.month, 'DUE-' || left(encode(sha256(convert_to(s.salt || ' ' || l.assessment || ' ' || l.mda, 'UTF8')), 'hex'), 24) as name,
    l.assessed_at, l.currency, l.mda, l.service, l.channel, l.status, l.amount, l.seconds, l.leads, l.owing_agency, l.owing_service,
    l.paying_agency, l.unpaid_agency, l.timed_agency, l.timed_channel, l.timed_service
  from person_waiting w cross join oversight_salt s
  cross join lateral (select * from assessed_live l where l.citizen = w.citizen and l.month = w.month offset 0) l;
create view oversight.assessed_fact as
  select f.* from assessed_fact f where not exists (select from person_waiting w where w.person = f.person)
  union all select * from oversight.assessed_waiting;
create view oversight.attempt_stored as select * from attempt_fact;
create view oversight.attempt_waiting as
  select w.person, l.month, l.channel, l.mda, l.status, l.cause, l.trying_channel, l.trying_agency
  from person_waiting w cross join lateral (select * from attempt_live l where l.citizen = w.citizen and l.month = w.month offset 0) l;

-- Sums as they are now: less what was counted of whoever waits, and with what is true of them.
create view oversight.assessed_sum as
  select * from assessed_sum
  union all
  select f.month, f.currency, f.mda, f.service, f.channel, f.status, -f.leads::int, -1, -f.amount, -f.owing_agency::int, -f.owing_service::int,
    -f.paying_agency::int, -f.unpaid_agency::int, -f.timed_agency::int, -f.timed_channel::int, -f.timed_service::int
  from person_waiting w cross join lateral (select * from assessed_fact f where f.person = w.person offset 0) f
  union all
  select l.month, l.currency, l.mda, l.service, l.channel, l.status, l.leads::int, 1, l.amount, l.owing_agency::int, l.owing_service::int,
    l.paying_agency::int, l.unpaid_agency::int, l.timed_agency::int, l.timed_channel::int, l.timed_service::int
  from oversight.assessed_waiting l;
create view oversight.attempt_sum as
  select * from attempt_sum
  union all
  select f.month, f.channel, f.mda, f.status, f.cause, -1, -f.trying_channel::int, -f.trying_agency::int
  from person_waiting w cross join lateral (select * from attempt_fact f where f.person = w.person offset 0) f
  union all
  select l.month, l.channel, l.mda, l.status, l.cause, 1, l.trying_channel::int, l.trying_agency::int
  from oversight.attempt_waiting l;
create view oversight.payer_sum as
  select month, mda, people, first from payer_sum
  union all
  select p.month, p.mda, -1, -p.first::int
  from (select distinct citizen from person_tail) w cross join lateral (select * from payer_fact p where p.citizen = w.citizen offset 0) p
  union all
  select l.month, l.mda, 1, l.first::int
  from (select distinct citizen from person_tail) w cross join lateral (select * from payer_live l where l.citizen = w.citizen offset 0) l;
grant select on oversight.person_waiting, oversight.assessed_stored, oversight.assessed_waiting, oversight.assessed_fact,
  oversight.attempt_stored, oversight.attempt_waiting, oversight.assessed_sum, oversight.attempt_sum, oversight.payer_sum to rail_oversight;
drop function oversight.payers(timestamptz, timestamptz, text[]);

-- What was assessed in the months of a span, by agency. `fewest` is how many payers a month needs to be told of; how long they took is
-- told of the months in which as many paid.
create or replace function oversight.collections(from_day date, to_day date, fewest integer)
returns table (
  mda text, currency text, assessments bigint, assessed numeric, paid numeric, outstanding numeric, cancelled numeric,
  seconds_p50 double precision, seconds_p90 double precision, seconds_p99 double precision
) language sql stable security definer set search_path = public as $$
  with owed as materialized (
    select s.mda, s.currency, s.month, sum(s.parts) as parts, sum(s.assessments) as assessments, sum(s.amount) as assessed,
      coalesce(sum(s.amount) filter (where s.status = 'Paid'), 0) as paid, coalesce(sum(s.amount) filter (where s.status = 'Assessed'), 0) as outstanding,
      coalesce(sum(s.amount) filter (where s.status = 'Cancelled'), 0) as cancelled,
      sum(s.owing_agency) >= fewest as told, sum(s.owing_agency) >= fewest and sum(s.paying_agency) >= fewest as enough_paid
    from oversight.assessed_sum s
    where s.month between date_trunc('month', from_day::timestamp)::date and date_trunc('month', to_day::timestamp)::date
    group by 1, 2, 3 having sum(s.parts) > 0
  ), timed as (
    select f.mda, f.currency, percentile_cont(array[0.5, 0.9, 0.99]) within group (order by f.seconds) as seconds
    from oversight.assessed_fact f
    where f.leads and f.seconds is not null
      and f.month between date_trunc('month', from_day::timestamp)::date and date_trunc('month', to_day::timestamp)::date
      and (f.mda, f.currency, f.month) in (select o.mda, o.currency, o.month from owed o where o.enough_paid)
    group by 1, 2
  )
  select o.mda, o.currency, sum(o.assessments) filter (where o.told)::bigint, sum(o.assessed) filter (where o.told),
    sum(o.paid) filter (where o.told), sum(o.outstanding) filter (where o.told), sum(o.cancelled) filter (where o.told),
    (array_agg(t.seconds[1]))[1], (array_agg(t.seconds[2]))[1], (array_agg(t.seconds[3]))[1]
  from owed o left join timed t using (mda, currency) group by o.mda, o.currency
$$;

-- How attempts to pay went in the months of a span, by channel. `fewest` is how many payers a month needs to be told of.
create or replace function oversight.attempts(from_day date, to_day date, fewest integer)
returns table (channel channel, confirmed bigint, failed bigint, expired bigint, open bigint)
language sql stable security definer set search_path = public as $$
  with told as (
    select s.channel, coalesce(sum(s.attempts) filter (where s.status = 'Confirmed'), 0) as confirmed,
      coalesce(sum(s.attempts) filter (where s.status = 'Failed'), 0) as failed,
      coalesce(sum(s.attempts) filter (where s.status = 'Expired'), 0) as expired, coalesce(sum(s.attempts) filter (where s.status = 'Sent'), 0) as open
    from oversight.attempt_sum s
    where s.month between date_trunc('month', from_day::timestamp)::date and date_trunc('month', to_day::timestamp)::date
    group by s.channel, s.month having sum(s.trying_channel) >= fewest
  )
  select t.channel::channel, sum(t.confirmed)::bigint, sum(t.failed)::bigint, sum(t.expired)::bigint, sum(t.open)::bigint from told t group by 1
$$;
