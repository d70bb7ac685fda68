-- Statements of providers are added up by their periods, each as it was compared last: what was compared without any outcome is a fact too. Counters
-- of shifts are called as those of payments are.
drop view oversight.fact_outcome;
create view oversight.fact_outcome as
  select r.name as document, r.name as run, r.provider, r.source_hash as statement, r.created_at at time zone 'utc' as created_at,
    r.from_at at time zone 'utc' as from_at, r.to_at at time zone 'utc' as to_at, i.outcome,
    coalesce(i.statement_currency, i.recorded_currency) as currency, count(i.name)::integer as count, sum(i.statement_amount) as settled,
    sum(i.recorded_amount) as recorded
  from reconciliation_run r left join reconciliation_item i on i.run = r.name group by r.name, i.outcome, 9;
create trigger feed after insert on reconciliation_run for each row execute function feed_document('statement');

create or replace view oversight.fact_shift as
  select s.name as document, date_trunc('month', s.closed_at at time zone 'utc')::date as month, (s.closed_at at time zone z.time_zone)::date as day,
    substr(encode(sha256(convert_to((select salt from oversight_salt) || ' shift ' || s.mda || ' ' || s.clerk, 'UTF8')), 'hex'), 1, 16) as person,
    s.mda, concat_ws(' ', s.mda, nullif(trim(s.counter_label), '')) as counter, s.currency, s.expected_cash, s.cash_counted, s.variance,
    s.variance_status, w.id as waiting
  from counter_shift s join agency_calendar z on z.mda = s.mda left join first_waiting w on w.document = s.name where s.status = 'Closed';

grant select on all tables in schema oversight to rail_oversight;
