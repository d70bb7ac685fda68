-- Processes that do not know endpoints enter deliveries without one: they are for the default.
create or replace function set_default_endpoint() returns trigger language plpgsql as $$
begin
  if new.endpoint is null then
    select name into new.endpoint from webhook_endpoint where integrator = new.integrator and is_default;
  end if;
  return new;
end $$;
