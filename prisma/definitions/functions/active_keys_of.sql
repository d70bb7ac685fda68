-- Counts the keys of an account under its lock. Keys that wait for approval count, since they become active; those
-- whose time is over do not.
create or replace function active_keys_of(integrator_code text) returns bigint language plpgsql volatile as $$
begin
  perform 1 from integrator where code = integrator_code for no key update;
  return (select count(*) from api_key where integrator = integrator_code and status in ('active', 'waiting')
    and (expires_at is null or expires_at > now()));
end $$;
