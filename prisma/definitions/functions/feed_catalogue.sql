-- The catalogue is small: all of it is read again.
create or replace function feed_catalogue() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) values ('catalogue', '0');
  return null;
end $$;
