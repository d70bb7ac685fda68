-- The digits of a docname, which are unique among docnames of a kind.
create or replace function document_number(name text) returns bigint language sql immutable strict parallel safe
  as $$ select regexp_replace(name, '[^0-9]', '', 'g')::bigint $$;
