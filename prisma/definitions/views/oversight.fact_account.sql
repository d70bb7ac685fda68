-- The accounts that agencies have and had, by keys that say nothing of them.
create or replace view oversight.fact_account as
  select '0' as document, mda, key, from_at at time zone 'utc' as from_at, to_at at time zone 'utc' as to_at from agency_account;
