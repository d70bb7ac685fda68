-- The feed of what changes: each statement that changes a document which facts are made of leaves its kind and docname here, and each process
-- that keeps a columnar copy of facts reads what it has not seen. Writers wait for nobody.
create table fact_change (
  xid xid8 not null default pg_current_xact_id(),
  kind text not null,
  document text not null,
  at timestamptz(3) not null default now()
);
create index fact_change_xid_idx on fact_change (xid);
alter table fact_change set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000);

-- Up to which transaction the feed was cut off, and a number that changes when all facts have to be read again.
create table fact_feed (
  id smallint primary key default 1 check (id = 1),
  trimmed xid8 not null default '0',
  epoch integer not null default 1
);
insert into fact_feed default values;

create view oversight.fact_change as select xid, kind, document from fact_change;
create view oversight.fact_feed as select trimmed, epoch from fact_feed;

-- The digits of a docname, which are a number of their own among docnames of a kind.
create function document_number(name text) returns bigint language sql immutable strict parallel safe
  as $$ select regexp_replace(name, '[^0-9]', '', 'g')::bigint $$;

create function feed_assessments() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document)
  select 'assessment', n.name from new_rows n join old_rows o using (name)
  where n.assessed_at is not null and (n.status, n.assessed_at, n.paid_at, n.cancelled_at) is distinct from (o.status, o.assessed_at, o.paid_at, o.cancelled_at);
  return null;
end $$;
create trigger feed after update on assessment referencing old table as old_rows new table as new_rows
  for each statement execute function feed_assessments();

create function feed_intents() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document)
  select distinct 'assessment', n.assessment from new_rows n join old_rows o using (name) where n.status <> o.status;
  return null;
end $$;
create trigger feed after update on payment_intent referencing old table as old_rows new table as new_rows
  for each statement execute function feed_intents();

create function feed_payment_events() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) select distinct 'assessment', assessment from new_rows;
  return null;
end $$;
create trigger feed after insert on payment_event referencing new table as new_rows for each statement execute function feed_payment_events();

-- The catalogue is small: all of it is read again.
create function feed_catalogue() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) values ('catalogue', '0');
  return null;
end $$;
create trigger feed after insert or update or delete on mda for each statement execute function feed_catalogue();
create trigger feed after insert or update or delete on service for each statement execute function feed_catalogue();
create trigger feed after insert or update or delete on country for each statement execute function feed_catalogue();

-- Facts have the days of their agency's country, by its time zone.
create function feed_time_zones() returns trigger language plpgsql as $$
begin
  update fact_feed set epoch = epoch + 1;
  return null;
end $$;
create trigger feed_time_zones after update of time_zone on country for each row when (new.time_zone <> old.time_zone) execute function feed_time_zones();
create trigger feed_country after update of country on mda for each row when (new.country <> old.country) execute function feed_time_zones();

create or replace view event_share as
  select e.name as event, coalesce(s.service, '') as service, e.occurred_at, e.occurred_at at time zone z.time_zone as local_at, e.mda, e.channel,
    e.currency, e.kind, coalesce(s.share, e.amount) as amount, coalesce(s.leads, true) as leads,
    case when a.shift is not null then 'counter' when e.integrator is not null then 'integrator' else 'other' end as station,
    case when a.shift is not null then concat_ws(' ', h.mda, nullif(trim(h.counter_label), '')) end as counter, e.integrator,
    coalesce(s.quantity, 0)::integer as quantity, e.assessment, e.intent
  from payment_event e
  join agency_calendar z on z.mda = e.mda
  left join assessment a on a.name = e.assessment
  left join counter_shift h on h.name = a.shift
  left join lateral (
    select q.service, q.leads, q.quantity,
      round(e.amount * q.upto / q.whole, q.digits) - round(e.amount * (q.upto - q.amount) / q.whole, q.digits) as share
    from (
      select l.service, sum(l.amount) as amount, sum(l.quantity) as quantity, sum(sum(l.amount)) over (order by l.service) as upto,
        sum(sum(l.amount)) over () as whole, row_number() over (order by l.service) = 1 as leads,
        greatest(scale(trim_scale(e.amount)), max(max(scale(trim_scale(l.amount)))) over ()) as digits
      from assessment_line l where l.assessment = e.assessment and l.mda = e.mda group by l.service
    ) q where q.whole > 0
  ) s on true;

-- Facts, a view each (src/oversight/facts): what each payment event paid of each service, and the catalogue.
create view oversight.fact_payment as
  select s.assessment as document, s.event, (s.occurred_at at time zone 'utc') as occurred_at, (s.occurred_at at time zone 'utc')::date as day,
    extract(hour from s.occurred_at at time zone 'utc')::smallint as hour, s.local_at::date as local_day, extract(hour from s.local_at)::smallint as local_hour,
    s.mda, s.service, s.channel, s.station, s.counter, s.integrator, s.currency, s.kind, s.amount, s.quantity, s.leads, i.aggregator as provider
  from event_share s join payment_intent i on i.name = s.intent;
create view oversight.fact_agency as
  select '0' as document, mda, mda_name, country, region, district, time_zone, fiscal_year_month from oversight.agency;
create view oversight.fact_service as select '0' as document, service, code, service_name, mda, sector, family from oversight.service;

grant select on all tables in schema oversight to rail_oversight;
