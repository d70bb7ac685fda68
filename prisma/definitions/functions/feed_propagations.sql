-- The assessment of a notice that changed.
create or replace function feed_propagations() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) values ('propagation', new.assessment);
  return null;
end $$;
