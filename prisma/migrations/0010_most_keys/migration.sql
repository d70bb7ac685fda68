-- How many active keys an integrator has, as of now and until the transaction ends: others that would issue one wait for it.
create function active_keys_of(integrator_code text) returns bigint language plpgsql volatile as $$
begin
  perform 1 from integrator where code = integrator_code for no key update;
  return (select count(*) from api_key where integrator = integrator_code and status = 'active');
end $$;
