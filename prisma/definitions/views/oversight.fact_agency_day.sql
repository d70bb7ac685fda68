-- The days of all agencies that have the same date are one document.
create or replace view oversight.fact_agency_day as
  select day::text as document, mda, day, (confirmed_at at time zone 'utc')::date as signed_on from agency_day;
