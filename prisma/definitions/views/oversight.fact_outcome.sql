create or replace view oversight.fact_outcome as
  select r.name as document, r.name as run, r.provider, r.source_hash as statement, r.created_at at time zone 'utc' as created_at,
    r.from_at at time zone 'utc' as from_at, r.to_at at time zone 'utc' as to_at, i.outcome,
    coalesce(i.statement_currency, i.recorded_currency) as currency, count(i.name)::integer as count, sum(i.statement_amount) as settled,
    sum(i.recorded_amount) as recorded
  from reconciliation_run r left join reconciliation_item i on i.run = r.name group by r.name, i.outcome, 9;
