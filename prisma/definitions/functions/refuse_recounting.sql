-- What a shift counted stays as it was counted.
create or replace function refuse_recounting() returns trigger language plpgsql as $$
begin
  raise exception '% is % and counted', old.name, old.status using errcode = 'restrict_violation';
end $$;
