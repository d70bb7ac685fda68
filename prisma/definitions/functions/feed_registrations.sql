-- The days (UTC) on which people were registered: no citizen is named.
create or replace function feed_registrations() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) select distinct 'registration', to_char(created_at at time zone 'utc', 'YYYY-MM-DD') from changed;
  return null;
end $$;
