-- The role by which oversight reads: it sees the views of one schema, and nothing else.
do $$
begin
  if not exists (select from pg_roles where rolname = 'rail_oversight') then
    begin
      create role rail_oversight nologin;
    exception
      when duplicate_object or unique_violation then null;
    end;
  end if;
  -- Since version 16, being a member and being allowed to act as one are two things.
  if not pg_has_role(current_user, 'rail_oversight', case when current_setting('server_version_num')::integer >= 160000 then 'SET' else 'MEMBER' end) then
    execute format('grant rail_oversight to %I', current_user);
  end if;
exception
  when insufficient_privilege then
    raise exception 'an administrator of the database has to run once: create role rail_oversight nologin; grant rail_oversight to %', current_user;
end $$;
grant usage on schema oversight to rail_oversight;
grant select on all tables in schema oversight to rail_oversight;
