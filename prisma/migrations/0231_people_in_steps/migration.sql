-- Figures about people move in steps: what becomes of one person is not told until enough others have had the same happen to them. Each change of
-- a document that such figures count waits here, from its own statement on, until a step takes it with others (src/oversight/root/steps.ts).
-- Facts have the status that a document had before the first of its changes that wait.
create table people_waiting (
  id bigint generated always as identity primary key,
  -- The kind and docname by which the feed of changes knows it.
  kind text not null,
  document text not null,
  -- Of a change of an attempt to pay.
  intent text,
  -- The status before, null where there was nothing to tell; and what it has become.
  was text,
  becomes text not null
);
create index people_waiting_document_idx on people_waiting (document);
alter table people_waiting set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

-- The number of the last step. Before the first question there is none: all that has happened until then is told at once.
create table people_step (
  id smallint primary key default 1 check (id = 1),
  number integer not null default 1
);

create function feed_steps() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) values ('step', '0');
  return null;
end $$;
create trigger feed after insert or update on people_step for each statement execute function feed_steps();

-- What waits no longer is told: facts of its document are read again.
create function feed_told() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) select distinct kind, document from old_rows;
  return null;
end $$;
create trigger feed after delete on people_waiting referencing old table as old_rows for each statement execute function feed_told();

create or replace function feed_assessments() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document)
  select 'assessment', n.name from new_rows n join old_rows o using (name)
  where coalesce(n.assessed_at, o.assessed_at) is not null
    and (n.status, n.assessed_at, n.paid_at, n.cancelled_at, n.cancel_reason, n.citizen, n.currency, n.shift)
      is distinct from (o.status, o.assessed_at, o.paid_at, o.cancelled_at, o.cancel_reason, o.citizen, o.currency, o.shift);
  insert into people_waiting (kind, document, was, becomes)
  select 'assessment', n.name, nullif(o.status, 'Draft'), n.status from new_rows n join old_rows o using (name)
  where n.assessed_at is not null and n.status <> o.status and exists (select from people_step);
  return null;
end $$;
create or replace function feed_new_assessment() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) values ('assessment', new.name);
  insert into people_waiting (kind, document, becomes) select 'assessment', new.name, new.status from people_step;
  return null;
end $$;

-- Why an attempt failed waits for others of the same cause, after that it failed has been told.
create or replace function feed_intents() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document)
  select distinct 'assessment', n.assessment from new_rows n join old_rows o using (name)
  where (n.status, n.failure_reason) is distinct from (o.status, o.failure_reason);
  insert into people_waiting (kind, document, intent, was, becomes)
  select 'assessment', n.assessment, n.name, c.was, c.becomes from new_rows n join old_rows o using (name)
  cross join lateral (values (1, nullif(o.status, 'Pending')::text, n.status::text), (2, 'Failed', 'cause')) c (place, was, becomes)
  where n.status not in (o.status, 'Pending') and (c.place = 1 or n.status = 'Failed') and exists (select from people_step)
  order by n.name, c.place;
  return null;
end $$;
create or replace function feed_new_intent() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) values ('assessment', new.assessment);
  insert into people_waiting (kind, document, intent, becomes) select 'assessment', new.assessment, new.name, new.status from people_step;
  return null;
end $$;

create function wait_for_shifts() returns trigger language plpgsql as $$
begin
  insert into people_waiting (kind, document, becomes) select 'shift', new.name, 'Closed' from people_step;
  return null;
end $$;
create trigger wait_closed after insert on counter_shift for each row when (new.status = 'Closed') execute function wait_for_shifts();
create trigger wait after update on counter_shift for each row when (old.status <> 'Closed' and new.status = 'Closed') execute function wait_for_shifts();

-- What waits of each document, and of each attempt: from the status that is told to the one that it has, whatever lay between; or, with no
-- `last`, the cause alone.
create view waiting_change as
  select kind, document, intent, min(id) as id, max(id) filter (where becomes <> 'cause') as last, (array_agg(was order by id))[1] as was
  from people_waiting group by kind, document, intent;

-- The first change that waits of each document and of each attempt: a join, of some documents by their index and of all in bulk.
create view first_waiting as
  select w.document, w.intent, w.id, w.was from people_waiting w
  where not exists (
    select from people_waiting o where o.document = w.document and coalesce(o.intent, '') = coalesce(w.intent, '') and o.id < w.id);

-- Somebody is a payer once it is told that the assessment, or of money that it does not await the attempt, is paid.
create or replace view oversight.fact_payer as
  select distinct e.assessment as document, person_number(s.salt, ' payer of ' || e.mda || ' ', a.citizen) as person, e.mda,
    date_trunc('month', e.occurred_at at time zone 'utc')::date as month
  from payment_event e join assessment a on a.name = e.assessment cross join oversight_salt s
  left join first_waiting w on w.document = e.assessment and w.intent is null
  where e.kind = 'payment' and (w.id is null or w.was in ('Paid', 'Cancelled'))
    and not exists (select from people_waiting v where v.document = e.assessment and v.intent = e.intent);

create or replace view oversight.fact_cancellation as
  select c.document, c.name, c.kind, c.mda, c.amount, c.currency, c.channel, c.cancelled_at, (c.cancelled_at at time zone 'utc')::date as day,
    (c.cancelled_at at time zone z.time_zone)::date as local_day, date_trunc('month', c.cancelled_at at time zone 'utc')::date as month, c.paid_at,
    c.counter_mda, c.counter, c.explained, c.same_hand, c.person, c.kind = 'reversal' or w.id is null as told
  from (
    select e.assessment as document, e.name, 'reversal' as kind, e.mda, -e.amount as amount, e.currency, e.channel::text as channel,
      e.occurred_at as cancelled_at, p.occurred_at as paid_at, h.mda as counter_mda, h.counter_label as counter,
      coalesce(a.cancel_reason, '') <> '' as explained,
      case when p.channel = 'cash' or h.name is not null then (
        select bool_or(c.actor in (coalesce(h.clerk, ''), coalesce(t.actor, '')))
        from trace_row c left join trace_row t on t.assessment = c.assessment and t.intent = e.intent and t.kind = 'payment_intent.update'
          and t.detail ->> 'to' = 'Confirmed' and p.channel = 'cash'
          and t.at >= p.created_at - interval '1 day' and t.at < p.created_at + interval '1 day'
        where c.assessment = a.name and c.kind = 'assessment.update' and c.detail ->> 'to' = 'Cancelled'
          and c.at >= a.cancelled_at - interval '1 day' and c.at < a.cancelled_at + interval '1 day') end as same_hand,
      null::bigint as person
    from payment_event e join payment_event p on p.intent = e.intent and p.mda = e.mda and p.kind = 'payment'
    join assessment a on a.name = e.assessment left join counter_shift h on h.name = a.shift
    where e.kind = 'reversal'
    union all
    select a.name, 'CNL-' || left(encode(sha256(convert_to(s.salt || ' ' || a.name || ' ' || l.mda, 'utf8')), 'hex'), 24), 'cancellation', l.mda,
      sum(l.amount), a.currency, null, a.cancelled_at, null, h.mda, h.counter_label, coalesce(a.cancel_reason, '') <> '', null,
      person_number(s.salt, ' cancelled ' || to_char(a.cancelled_at at time zone 'utc', 'YYYYMM'), a.citizen)
    from assessment a join assessment_line l on l.assessment = a.name left join counter_shift h on h.name = a.shift cross join oversight_salt s
    where a.cancelled_at is not null and a.paid_at is null and a.assessed_at is not null
    group by a.name, l.mda, h.mda, h.counter_label, s.salt
  ) c join agency_calendar z on z.mda = c.mda left join first_waiting w on w.document = c.document and w.intent is null;

-- In which parts figures would move by what waits. Of `fact` it changes the rows of `item`.
create view oversight.fact_waiting as
  select w.document, w.id, coalesce(w.last, w.id) as last, f.fact, f.item, person_number(s.salt, to_char(f.month, 'YYYYMM'), a.citizen) as person,
    w.was, case when w.last is null then 'cause' else f.becomes end as becomes, f.month, f.currency, f.mda, f.service, f.channel, f.detail
  from waiting_change w join assessment a on a.name = w.document cross join oversight_salt s
  cross join lateral (
    select distinct 'assessed' as fact, document_number(a.name) as item, a.status::text as becomes,
      date_trunc('month', a.assessed_at at time zone 'utc')::date as month, a.currency, l.mda, l.service, p.channel,
      concat_ws(' ', to_char(p.at at time zone 'utc', 'YYYY-MM'), to_char(a.cancelled_at at time zone 'utc', 'YYYY-MM')) as detail
    from assessment_line l left join lateral (
      select a.paid_at as at, (
        select i.channel::text from payment_intent i where i.assessment = a.name and i.status = 'Confirmed' order by i.confirmed_at, i.name limit 1
      ) as channel
      where a.paid_at is not null and w.was is distinct from 'Paid'
    ) p on true
    where l.assessment = w.document and w.intent is null
    union all
    select 'attempt', document_number(i.name), i.status::text, date_trunc('month', i.created_at at time zone 'utc')::date, null,
      coalesce((select r.mda from split_rule r where r.intent = i.name order by r.amount desc, r.mda limit 1), ''), null, i.channel::text,
      case when w.last is null then failure_cause(i.failure_reason) end
    from payment_intent i where i.name = w.intent
  ) f
  where w.kind = 'assessment';

create view oversight.fact_step as select '0' as document, number from people_step;

grant select on all tables in schema oversight to rail_oversight;
