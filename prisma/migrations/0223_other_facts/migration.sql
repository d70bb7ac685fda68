-- Closed shifts, anomalies, registrations, notices and outcomes of statements become facts, which each process counts in its own copy: the sums
-- of them, what waited to be added to these, and the triggers that wrote it down go.
drop view oversight.anomaly_sum, oversight.anomaly_waiting, oversight.anomaly_standing, oversight.counter_anomaly, oversight.closed_shift,
  oversight.shift_sum, oversight.shift_waiting, oversight.notification_day, oversight.settlement_outcome;
drop function oversight.registrations(date, date, text), count_registrations(date[]);
drop table anomaly_tail, anomaly_sum, notification_tail, notification_day, shift_tail, shift_sum, registration_tail, registration_sum,
  registration_monthly, reconciliation_outcome;
drop function queue_anomaly_months(), queue_shift_months(), queue_shift_months_anew(), count_deliveries(), count_delivery_anew(), count_propagations(),
  count_propagation_anew(), queue_registrations(), queue_registrations_anew(), queue_consents(), add_up_registrations(), sum_outcomes() cascade;
-- Shifts were found by when they were closed for their sums alone.
drop index counter_shift_closed_at_idx, counter_shift_mda_closed_at_idx;

-- A document whose facts change, of the kind that the trigger names.
create function feed_document() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) values (tg_argv[0], coalesce(new.name, old.name));
  return null;
end $$;

create trigger feed_closed after insert on counter_shift for each row when (new.status = 'Closed') execute function feed_document('shift');
-- Not while payments are counted in it.
create trigger feed after update on counter_shift for each row
  when ((old.status = 'Closed' or new.status = 'Closed') and
    (old.status, old.mda, old.closed_at, old.currency, old.clerk, old.counter_label, old.opening_float, old.cash_collected, old.cash_counted,
      old.variance, old.variance_status)
    is distinct from
    (new.status, new.mda, new.closed_at, new.currency, new.clerk, new.counter_label, new.opening_float, new.cash_collected, new.cash_counted,
      new.variance, new.variance_status))
  execute function feed_document('shift');

create trigger feed_raised after insert on anomaly for each row execute function feed_document('anomaly');
create trigger feed after update on anomaly for each row
  when ((old.kind, old.severity, old.status, old.mdas, old.raised_at) is distinct from (new.kind, new.severity, new.status, new.mdas, new.raised_at))
  execute function feed_document('anomaly');

-- Deliveries are queued many at a time.
create function feed_deliveries() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) select 'delivery', name from changed;
  return null;
end $$;
create trigger feed_queued after insert on webhook_delivery referencing new table as changed for each statement execute function feed_deliveries();
create trigger feed_gone after delete on webhook_delivery referencing old table as changed for each statement execute function feed_deliveries();
create trigger feed after update on webhook_delivery for each row
  when ((old.status, old.created_at) is distinct from (new.status, new.created_at)) execute function feed_document('delivery');

-- Notices of agencies are known by their assessment: several have its number.
create function feed_propagations() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) values ('propagation', coalesce(new.assessment, old.assessment));
  return null;
end $$;
create trigger feed_queued after insert or delete on propagation for each row execute function feed_propagations();
create trigger feed after update on propagation for each row
  when ((old.kind, old.status, old.created_at) is distinct from (new.kind, new.status, new.created_at)) execute function feed_propagations();

-- The day (UTC) on which people were registered: no citizen is named.
create function feed_registrations() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) select distinct 'registration', to_char(created_at at time zone 'utc', 'YYYY-MM-DD') from changed;
  return null;
end $$;
create function feed_registration() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) values
    ('registration', to_char(old.created_at at time zone 'utc', 'YYYY-MM-DD')), ('registration', to_char(new.created_at at time zone 'utc', 'YYYY-MM-DD'));
  return null;
end $$;
create trigger feed_registered after insert on citizen referencing new table as changed for each statement execute function feed_registrations();
create trigger feed_gone after delete on citizen referencing old table as changed for each statement execute function feed_registrations();
create trigger feed after update on citizen for each row when (old.created_at <> new.created_at) execute function feed_registration();

-- Nobody was registered by hand any more who has consented, and later consents for the same agency are no longer the first. Two consents of
-- one person wait for one another here, so that one of them sees both.
create function feed_consents() returns trigger language plpgsql as $$
begin
  perform from citizen where name in (select citizen from added) order by name for no key update;
  insert into fact_change (kind, document)
    select distinct 'registration', to_char(at at time zone 'utc', 'YYYY-MM-DD') from (
      select created_at as at from added
      union all
      select c.created_at from added a cross join lateral (select created_at from citizen where name = a.citizen offset 0) c
      union all
      select e.created_at from added a cross join lateral (select * from consent_event b where b.citizen = a.citizen offset 0) e
      where e.mda is not distinct from a.mda and (e.created_at, e.name) > (a.created_at, a.name)
    ) d;
  return null;
end $$;
create trigger feed after insert on consent_event referencing new table as added for each statement execute function feed_consents();

create function feed_statements() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) select distinct 'statement', run from added;
  return null;
end $$;
create trigger feed after insert on reconciliation_item referencing new table as added for each statement execute function feed_statements();

-- Closed shifts. A clerk has a number in each agency, which is good for counting and for nothing else; the day is that of the agency's country.
create view oversight.fact_shift as
  select s.name as document, date_trunc('month', s.closed_at at time zone 'utc')::date as month, (s.closed_at at time zone z.time_zone)::date as day,
    substr(encode(sha256(convert_to((select salt from oversight_salt) || ' shift ' || s.mda || ' ' || s.clerk, 'UTF8')), 'hex'), 1, 16) as person,
    s.mda, coalesce(s.counter_label, '') as counter, s.currency, s.expected_cash, s.cash_counted, s.variance, s.variance_status
  from counter_shift s join agency_calendar z on z.mda = s.mda where s.status = 'Closed';

-- Anomalies, once for each agency that they concern.
create view oversight.fact_anomaly as
  select a.name as document, a.kind, a.severity, a.status, (a.raised_at at time zone 'utc') as raised_at, (a.raised_at at time zone 'utc')::date as day,
    (a.raised_at at time zone z.time_zone)::date as local_day, m.mda, coalesce(m.place = 1, true) as leads,
    case when a.kind = 'cash_variance' then document_number(a.subject) end as shift
  from anomaly a left join lateral unnest(a.mdas) with ordinality m (mda, place) on true left join agency_calendar z on z.mda = m.mda;

create view oversight.fact_delivery as
  select name as document, (created_at at time zone 'utc')::date as day, status from webhook_delivery;
create view oversight.fact_propagation as
  select assessment as document, kind, (created_at at time zone 'utc')::date as day, status from propagation;

-- People registered on each day (UTC): by the identity authority, with the first consent that somebody gave for an agency; by hand, where there
-- is no consent. What else there is of a person is looked up, however many people there are.
create view oversight.fact_registration as
  select d.document, d.day, r.source, r.mda, r.people
  from (
    select to_char(s.first + n, 'YYYY-MM-DD') as document, s.first + n as day
    from (
      select (min(at) at time zone 'utc')::date as first, (max(at) at time zone 'utc')::date as last
      from (
        select min(created_at) as at from citizen union all select max(created_at) from citizen
        union all select min(created_at) from consent_event union all select max(created_at) from consent_event
      ) ends
    ) s cross join lateral generate_series(0, s.last - s.first) n
  ) d cross join lateral (
    select 'identity_authority' as source, c.mda, count(*)::integer as people
    from consent_event c
    where c.created_at >= d.day::timestamp at time zone 'utc' and c.created_at < (d.day + 1)::timestamp at time zone 'utc'
      and c.name = (
        select b.name from consent_event b where b.citizen = c.citizen and b.mda is not distinct from c.mda
        order by b.created_at, b.name limit 1)
    group by c.mda
    union all
    select 'by_hand', null, count(*)::integer
    from citizen c
    where c.created_at >= d.day::timestamp at time zone 'utc' and c.created_at < (d.day + 1)::timestamp at time zone 'utc'
      and (select e.name from consent_event e where e.citizen = c.name limit 1) is null
    having count(*) > 0
  ) r;

-- What came of the rows of a statement, by outcome and currency.
create view oversight.fact_outcome as
  select i.run as document, i.run, r.provider, i.outcome, coalesce(i.statement_currency, i.recorded_currency) as currency,
    count(*)::integer as count, sum(i.statement_amount) as settled, sum(i.recorded_amount) as recorded
  from reconciliation_item i join reconciliation_run r on r.name = i.run group by i.run, r.provider, i.outcome, 5;

grant select on all tables in schema oversight to rail_oversight;
