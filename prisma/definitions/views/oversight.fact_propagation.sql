create or replace view oversight.fact_propagation as
  select assessment as document, kind, (created_at at time zone 'utc')::date as day, status from propagation;
