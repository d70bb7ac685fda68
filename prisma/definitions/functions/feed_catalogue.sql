-- The catalogue is small: copies of facts read all of it again, and a process compares the count with that of a list that it answered
-- before (src/collection/catalogue).
create or replace function feed_catalogue() returns trigger language plpgsql as $$
begin
  update catalogue_version set version = version + 1;
  insert into fact_change (kind, document) values ('catalogue', '0');
  return null;
end $$;
