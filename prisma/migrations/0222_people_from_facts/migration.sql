-- Figures about people and demands are computed from facts in the copy: what added them up goes.
drop view oversight.assessed_agency_sum, oversight.assessed_fact, oversight.assessed_stored, oversight.assessed_sum, oversight.assessed_times,
  oversight.assessed_unpaid, oversight.assessed_waiting, oversight.attempt_stored, oversight.attempt_sum, oversight.attempt_waiting,
  oversight.payer_sum, oversight.person_waiting, oversight.cancellation, oversight.cancelled_demand;
drop view assessed_live, attempt_live, payer_live, cancellation_live, person_waiting;
drop function oversight.attempts(date, date, integer);
drop trigger queue_assessed on assessment;
drop trigger queue_reassessed on assessment;
drop trigger queue_attempt on payment_intent;
drop trigger queue_attempted on payment_intent;
drop trigger queue_cancelled on assessment;
drop trigger queue_cancelled_anew on assessment;
drop trigger queue_cancelled_gone on assessment;
drop trigger queue_reversed on payment_event;
drop trigger queue_cancelled_in_shift on counter_shift;
drop table person_tail, assessed_fact, assessed_sum, assessed_agency_sum, assessed_unpaid, assessed_times, attempt_fact, attempt_sum, payer_fact,
  payer_sum, cancelled_tail, cancelled;
drop function queue_assessed(), queue_attempt(), queue_cancelled(), queue_reversed(), queue_cancelled_in_shift(), sum_assessed(), sum_attempts(),
  sum_payers(), add_times(), remove_times(), add_to_agencies(), remove_from_agencies(), list_unpaid(bigint[]),
  seconds_at(double precision[], double precision);
drop aggregate oversight.concatenate(double precision[]);

create or replace function queue_payment_events() returns trigger language plpgsql as $$
begin
  insert into oversight_tail (kind, subject) select 'payment_event', name from added;
  insert into unsealed_event (mda, event) select mda, name from added;
  return null;
end $$;

-- A person as a number that leads to nobody: another one for each purpose, such as a month.
create function person_number(salt text, purpose text, citizen text) returns bigint language sql immutable parallel safe
return ('x' || encode(substr(sha256(convert_to(salt || purpose || citizen, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint;
drop function person_in_month(text, text, date);

-- What each assessment owes for each service, and what became of it. Of several services of an agency one leads, by which assessments are
-- counted. Windows are of one document, so that some documents are found by their names.
create view oversight.fact_assessed as
  select q.document, person_number(s.salt, to_char(q.month, 'YYYYMM'), q.citizen) as person, q.month, q.assessed_at, q.currency, q.mda, q.service,
    q.channel, q.status, q.amount, q.milliseconds, q.leads,
    case when q.status = 'Assessed' then
      'DUE-' || left(encode(sha256(convert_to(s.salt || ' ' || q.document || ' ' || q.mda, 'UTF8')), 'hex'), 24) end as name
  from (
    select a.name as document, a.citizen, date_trunc('month', a.assessed_at at time zone 'utc')::date as month, a.assessed_at, a.currency, l.mda,
      l.service, a.status::text as status, sum(l.amount) as amount, (extract(epoch from a.paid_at - a.assessed_at) * 1000)::bigint as milliseconds,
      row_number() over (partition by a.name, l.mda order by l.service) = 1 as leads,
      coalesce((
        select i.channel::text from payment_intent i where i.assessment = a.name and i.status = 'Confirmed'
        order by i.confirmed_at, i.name limit 1), '') as channel
    from assessment a join assessment_line l on l.assessment = a.name where a.assessed_at is not null group by a.name, l.mda, l.service
  ) q cross join oversight_salt s;

-- Each attempt to pay, once it is one, of the agency that was to get the largest part.
create view oversight.fact_attempt as
  select i.assessment as document, person_number(s.salt, to_char(i.created_at at time zone 'utc', 'YYYYMM'), a.citizen) as person,
    date_trunc('month', i.created_at at time zone 'utc')::date as month, i.channel::text as channel,
    coalesce((select r.mda from split_rule r where r.intent = i.name order by r.amount desc, r.mda limit 1), '') as mda, i.status::text as status,
    case i.status when 'Failed' then failure_cause(i.failure_reason) when 'Expired' then 'expired' else '' end as cause
  from payment_intent i join assessment a on a.name = i.assessment cross join oversight_salt s where i.status <> 'Pending';

-- Who paid an agency in which month: a number for each agency that stays, so that it is known who comes for the first time.
create view oversight.fact_payer as
  select distinct e.assessment as document, person_number(s.salt, ' payer of ' || e.mda || ' ', a.citizen) as person, e.mda,
    date_trunc('month', e.occurred_at at time zone 'utc')::date as month
  from payment_event e join assessment a on a.name = e.assessment cross join oversight_salt s where e.kind = 'payment';

-- What was reversed, and what was cancelled before it was paid, of each agency.
create view oversight.fact_cancellation as
  select c.document, c.name, c.kind, c.mda, c.amount, c.currency, c.channel, c.cancelled_at, (c.cancelled_at at time zone 'utc')::date as day,
    (c.cancelled_at at time zone z.time_zone)::date as local_day, date_trunc('month', c.cancelled_at at time zone 'utc')::date as month, c.paid_at,
    c.counter_mda, c.counter, c.explained, c.same_hand, c.person
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
  ) c join agency_calendar z on z.mda = c.mda;

-- What facts of an assessment are made of beside its payments. Drafts have none.
create or replace function feed_assessments() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document)
  select 'assessment', n.name from new_rows n join old_rows o using (name)
  where coalesce(n.assessed_at, o.assessed_at) is not null
    and (n.status, n.assessed_at, n.paid_at, n.cancelled_at, n.cancel_reason, n.citizen, n.currency, n.shift)
      is distinct from (o.status, o.assessed_at, o.paid_at, o.cancelled_at, o.cancel_reason, o.citizen, o.currency, o.shift);
  return null;
end $$;
create or replace function feed_intents() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document)
  select distinct 'assessment', n.assessment from new_rows n join old_rows o using (name)
  where (n.status, n.failure_reason) is distinct from (o.status, o.failure_reason);
  return null;
end $$;

-- What is written as more than a draft or an attempt that is yet to be made.
create function feed_new_assessment() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) values ('assessment', new.name);
  return null;
end $$;
create trigger feed_new after insert on assessment for each row when (new.assessed_at is not null) execute function feed_new_assessment();
create function feed_new_intent() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) values ('assessment', new.assessment);
  return null;
end $$;
create trigger feed_new after insert on payment_intent for each row when (new.status <> 'Pending') execute function feed_new_intent();

-- Facts name the counter at which an assessment was paid, and say whether its clerk took the money back.
create function feed_assessments_of_shift() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) select 'assessment', name from assessment where shift = new.name and assessed_at is not null;
  return null;
end $$;
create trigger feed_assessments after update on counter_shift for each row
  when ((old.mda, old.counter_label, old.clerk) is distinct from (new.mda, new.counter_label, new.clerk)) execute function feed_assessments_of_shift();

grant select on all tables in schema oversight to rail_oversight;
