-- The statements to which rows were added.
create or replace function feed_statements() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) select distinct 'statement', run from added;
  return null;
end $$;
