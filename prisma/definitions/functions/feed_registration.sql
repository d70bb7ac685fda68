-- The days (UTC) that a person moved from and to.
create or replace function feed_registration() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) values
    ('registration', to_char(old.created_at at time zone 'utc', 'YYYY-MM-DD')), ('registration', to_char(new.created_at at time zone 'utc', 'YYYY-MM-DD'));
  return null;
end $$;
