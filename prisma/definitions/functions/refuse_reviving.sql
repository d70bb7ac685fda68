-- Revoking is irreversible, and a key that is being replaced does not become active again.
create or replace function refuse_reviving() returns trigger language plpgsql as $$
begin
  if old.status = 'revoked' and new.status <> 'revoked' then
    raise exception '% is revoked for good', old.name using errcode = 'restrict_violation';
  end if;
  if old.status = 'rolling' and new.status = 'active' then
    raise exception '% is being replaced', old.name using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
