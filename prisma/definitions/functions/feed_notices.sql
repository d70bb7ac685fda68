-- A payment begins the notices of all its agencies at once: the feed names their assessment once.
create or replace function feed_notices() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) select distinct 'propagation', assessment from changed;
  return null;
end $$;
