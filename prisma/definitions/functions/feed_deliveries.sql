-- Deliveries are queued many at a time.
create or replace function feed_deliveries() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) select 'delivery', name from changed;
  return null;
end $$;
