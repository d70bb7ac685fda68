-- A process compares the count with that of a list it answered before (src/collection/catalogue).
create or replace function count_catalogue_change() returns trigger language plpgsql as $$
begin
  update catalogue_version set version = version + 1;
  return null;
end
$$;
