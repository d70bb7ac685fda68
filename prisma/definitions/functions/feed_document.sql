-- A document whose facts change, of the kind that the trigger names.
create or replace function feed_document() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) values (tg_argv[0], coalesce(new.name, old.name));
  return null;
end $$;
