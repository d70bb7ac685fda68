-- The time zone of a country decides the days of its agencies, which may be there before it.
create or replace function feed_time_zone() returns trigger language plpgsql as $$
begin
  if new.time_zone is distinct from old.time_zone and exists (select from mda where country = new.code) then
    update fact_feed set epoch = epoch + 1;
  end if;
  return null;
end $$;
