-- Oversight: what auditors and statisticians see, by a role that cannot see personal columns.

-- What happened and is not yet part of the rollups, the stream and the seals; filled by triggers, whoever writes.
create table oversight_tail (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('payment_event', 'anomaly')),
  subject text not null
);
create table unsealed_event (
  mda text not null,
  id bigint generated always as identity,
  event text not null,
  primary key (mda, id)
);
create function queue_payment_events() returns trigger language plpgsql as $$
begin
  insert into oversight_tail (kind, subject) select 'payment_event', name from added;
  insert into unsealed_event (mda, event) select mda, name from added;
  return null;
end $$;
create trigger queue_payment_events after insert on payment_event referencing new table as added
  for each statement execute function queue_payment_events();
create function queue_anomalies() returns trigger language plpgsql as $$
begin
  insert into oversight_tail (kind, subject) select 'anomaly', name from added;
  return null;
end $$;
create trigger queue_anomalies after insert on anomaly referencing new table as added
  for each statement execute function queue_anomalies();
-- Bulk loads that switch other triggers off are counted too.
alter table payment_event enable always trigger queue_payment_events;
alter table anomaly enable always trigger queue_anomalies;
insert into oversight_tail (kind, subject) select 'payment_event', name from payment_event order by created_at, name;
insert into oversight_tail (kind, subject) select 'anomaly', name from anomaly order by raised_at, name;
insert into unsealed_event (mda, event) select mda, name from payment_event order by created_at, name;

-- The order in which oversight learns of things: positions are given by one writer at a time and become visible in their order, so
-- that whoever reads on from a position misses nothing.
create table oversight_stream (
  position bigint primary key,
  kind text not null,
  subject text not null,
  at timestamptz(3) not null,
  -- Of a payment event, what leads to nobody: to be paged through and filtered without looking at the event itself.
  mda text,
  channel channel,
  currency text,
  event_kind payment_event_kind,
  amount numeric(19, 4),
  occurred_at timestamptz(3)
);
create unique index oversight_stream_subject_key on oversight_stream (kind, subject);
create index oversight_stream_mda_idx on oversight_stream (mda, position) where kind = 'payment_event';
create trigger append_only before update or delete or truncate on oversight_stream for each statement execute function refuse_rewriting();

-- Sums of payment events, by day and by month. Those by service count an event once for each service that it pays; the service of
-- what no line explains is ''.
create table revenue_daily (
  day date not null,
  mda text not null,
  channel channel not null,
  currency text not null,
  collected numeric(24, 4) not null,
  reversed numeric(24, 4) not null,
  payments integer not null,
  reversals integer not null,
  primary key (day, mda, channel, currency)
);
create table revenue_monthly (like revenue_daily including all);
create table service_revenue_daily (
  day date not null,
  mda text not null,
  service text not null,
  channel channel not null,
  currency text not null,
  collected numeric(24, 4) not null,
  reversed numeric(24, 4) not null,
  payments integer not null,
  reversals integer not null,
  primary key (day, mda, service, channel, currency)
);
create table service_revenue_monthly (like service_revenue_daily including all);

-- What of an event pays which service: in the proportion of the lines of its agency, rounded so that the parts are the whole.
create view event_share as
  select e.name as event, e.mda, e.channel, e.currency, e.kind, e.occurred_at, coalesce(s.service, '') as service, coalesce(s.share, e.amount) as amount
  from payment_event e
  left join lateral (
    select q.service, round(e.amount * q.upto / q.whole, q.digits) - round(e.amount * (q.upto - q.amount) / q.whole, q.digits) as share
    from (
      select l.service, sum(l.amount) as amount, sum(sum(l.amount)) over (order by l.service) as upto, sum(sum(l.amount)) over () as whole,
        greatest(scale(trim_scale(e.amount)), max(max(scale(trim_scale(l.amount)))) over ()) as digits
      from assessment_line l where l.assessment = e.assessment and l.mda = e.mda group by l.service
    ) q where q.whole > 0
  ) s on true;

-- What collections are asked by.
create index assessment_assessed_at_idx on assessment (assessed_at) where assessed_at is not null;
create index payment_intent_created_at_idx on payment_intent (created_at);
create index consent_event_created_at_idx on consent_event (created_at);
create index counter_shift_closed_at_idx on counter_shift (closed_at) where closed_at is not null;

-- The role that oversight reads by. It sees this schema and nothing else.
do $$
begin
  if not exists (select from pg_roles where rolname = 'rail_oversight') then
    begin
      create role rail_oversight nologin;
    exception
      when duplicate_object or unique_violation then null;
    end;
  end if;
  -- Since version 16, being a member and being allowed to act as one are two things.
  if not pg_has_role(current_user, 'rail_oversight', case when current_setting('server_version_num')::integer >= 160000 then 'SET' else 'MEMBER' end) then
    execute format('grant rail_oversight to %I', current_user);
  end if;
exception
  when insufficient_privilege then
    raise exception 'an administrator of the database has to run once: create role rail_oversight nologin; grant rail_oversight to %', current_user;
end $$;
create schema oversight;
grant usage on schema oversight to rail_oversight;

create view oversight.agency as select name as mda, mda_name, country, mda_type, interaction_mode, status from mda;
create view oversight.service as select name as service, code, service_name, mda, sector, family from service;
create view oversight.revenue_daily as select * from revenue_daily;
create view oversight.revenue_monthly as select * from revenue_monthly;
create view oversight.service_revenue_daily as select * from service_revenue_daily;
create view oversight.service_revenue_monthly as select * from service_revenue_monthly;
-- The tail is short, whatever the planner believes of it: its events are looked up one by one.
create view oversight.tail as
  select (e.occurred_at at time zone 'utc')::date as day, e.mda, e.channel, e.currency, e.kind, e.amount
  from oversight_tail t cross join lateral (select * from payment_event e where e.name = t.subject offset 0) e where t.kind = 'payment_event';
create view oversight.service_tail as
  select (s.occurred_at at time zone 'utc')::date as day, s.mda, s.service, s.channel, s.currency, s.kind, s.amount
  from oversight_tail t cross join lateral (select * from event_share s where s.event = t.subject offset 0) s where t.kind = 'payment_event';

create view oversight.payment_event as
  select s.position, s.subject as name, s.mda, s.amount, s.currency, s.channel, s.event_kind as kind, s.occurred_at, q.sequence as seal_sequence,
    q.hash as seal_hash
  from oversight_stream s left join event_seal q on q.event = s.subject where s.kind = 'payment_event';
-- Only what is said here to lead to nobody is shown of what was found.
create view oversight.anomaly as
  select s.position, a.name, a.kind, a.mda, a.severity, a.status, a.raised_at, (
    select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(a.evidence) e where e.key in (
      'amount', 'currency', 'channel', 'events', 'expected', 'counted', 'variance', 'collected_amount', 'collected_currency', 'assessment_status',
      'intent_status', 'outcome', 'statement_amount', 'statement_currency', 'recorded_amount', 'recorded_currency', 'paid_at', 'day', 'rate',
      'cancelled', 'collections', 'payments', 'usual', 'usual_rate', 'deviations', 'threshold', 'thresholds', 'from_hour', 'to_hour', 'first_missing', 'last_sequence',
      'sealed')) as evidence
  from oversight_stream s join anomaly a on a.name = s.subject where s.kind = 'anomaly';
create view oversight.stream as select position, kind, at from oversight_stream;
create view oversight.consent as select mda, (created_at at time zone 'utc')::date as day from consent_event;
create view oversight.shift as
  select mda, currency, (closed_at at time zone 'utc')::date as day, expected_cash, variance, variance_status, collection_count
  from counter_shift where status = 'Closed';
create view oversight.intent as
  select channel, currency, status, (created_at at time zone 'utc')::date as day from payment_intent where status <> 'Pending';
create view oversight.delivery as select status, (created_at at time zone 'utc')::date as day from webhook_delivery;
create view oversight.propagation as select mda, status, (created_at at time zone 'utc')::date as day from propagation;
create view oversight.seal as
  select m.name as mda, s.sequence, s.hash, s.sealed_at from mda m
  cross join lateral (select sequence, hash, sealed_at from event_seal where event_seal.mda = m.name order by sequence desc limit 1) s;

-- What was assessed in a span, by agency. It looks at payers only to say nothing where they are few.
create function oversight.collections(from_day date, to_day date, fewest_payers integer)
returns table (
  mda text, currency text, assessments bigint, assessed numeric, paid numeric, outstanding numeric, cancelled numeric,
  seconds_p50 double precision, seconds_p90 double precision, seconds_p99 double precision
) language sql stable security definer set search_path = public as $$
  with assessed as (
    select a.name, a.citizen, a.currency, a.status, extract(epoch from a.paid_at - a.assessed_at)::double precision as seconds from assessment a
    where a.assessed_at >= from_day::timestamp at time zone 'utc' and a.assessed_at < (to_day + 1)::timestamp at time zone 'utc'
  ), owed as (
    select l.mda, a.name, a.citizen, a.currency, a.status, a.seconds, sum(l.amount) as amount
    from assessed a join assessment_line l on l.assessment = a.name group by l.mda, a.name, a.citizen, a.currency, a.status, a.seconds
  ), counted as (
    select o.mda, o.currency, count(*) as assessments, sum(o.amount) as assessed,
      coalesce(sum(o.amount) filter (where o.status = 'Paid'), 0) as paid, coalesce(sum(o.amount) filter (where o.status = 'Assessed'), 0) as outstanding,
      coalesce(sum(o.amount) filter (where o.status = 'Cancelled'), 0) as cancelled,
      count(distinct o.citizen) filter (where o.seconds is not null) >= fewest_payers as enough,
      percentile_cont(array[0.5, 0.9, 0.99]) within group (order by o.seconds) as seconds
    from owed o group by o.mda, o.currency
  )
  select c.mda, c.currency, c.assessments, c.assessed, c.paid, c.outstanding, c.cancelled, case when c.enough then c.seconds[1] end,
    case when c.enough then c.seconds[2] end, case when c.enough then c.seconds[3] end
  from counted c
$$;
revoke all on function oversight.collections(date, date, integer) from public;
grant execute on function oversight.collections(date, date, integer) to rail_oversight;
grant select on all tables in schema oversight to rail_oversight;
