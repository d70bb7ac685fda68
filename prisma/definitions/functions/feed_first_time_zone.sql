-- Agencies may be there before their country, whose time zone then decides their days.
create or replace function feed_first_time_zone() returns trigger language plpgsql as $$
begin
  if exists (select from mda where country = new.code) then update fact_feed set epoch = epoch + 1; end if;
  return null;
end $$;
