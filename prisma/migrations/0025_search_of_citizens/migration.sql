-- Outside a transaction. Citizens are searched by any part of their names, where the database has trigrams and lets us have them.
-- Only if exists (select from pg_available_extensions where name = 'pg_trgm') and has_database_privilege(current_database(), 'create')
do $$
begin
  create extension if not exists pg_trgm;
exception
  -- Some hosts let nobody make it but themselves: without it a search reads all citizens, and finds the same.
  when insufficient_privilege or feature_not_supported or undefined_file then raise notice 'pg_trgm: %', sqlerrm;
end $$;
-- Only if exists (select from pg_opclass where opcname = 'gin_trgm_ops' and pg_opclass_is_visible(oid))
create index concurrently if not exists citizen_search_text_idx on citizen using gin (search_text gin_trgm_ops);
