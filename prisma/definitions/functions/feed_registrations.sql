-- The days (UTC) on which people were registered, and those that a person moved from and to: no citizen is named.
create or replace function feed_registrations() returns trigger language plpgsql as $$
begin
  if tg_level = 'ROW' then
    insert into fact_change (kind, document)
    select 'registration', to_char(at at time zone 'utc', 'YYYY-MM-DD') from unnest(array[old.created_at, new.created_at]) moved (at);
  else
    insert into fact_change (kind, document) select distinct 'registration', to_char(created_at at time zone 'utc', 'YYYY-MM-DD') from changed;
  end if;
  return null;
end $$;
