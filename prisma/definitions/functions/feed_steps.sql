-- The number of a step is a fact of its own.
create or replace function feed_steps() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) values ('step', '0');
  return null;
end $$;
