-- Another epoch has each copy read all facts again: after a change that touches too many of them, such as that of a time zone.
create or replace function remake_copies() returns trigger language plpgsql as $$
begin
  update fact_feed set epoch = epoch + 1;
  return null;
end $$;
