-- Public keys of receipts are kept for good, so that signatures can always be verified.
create or replace function refuse_forgetting() returns trigger language plpgsql as $$
begin
  if old.use <> 'receipt' then return coalesce(new, old); end if;
  if tg_op = 'UPDATE' and (new.kid, new.use, new.public_key, new.created_at) is not distinct from (old.kid, old.use, old.public_key, old.created_at)
    and (old.expires_at is null or new.expires_at is not distinct from old.expires_at) then
    return new;
  end if;
  raise exception 'the key % of receipts is kept', old.kid using errcode = 'restrict_violation';
end $$;
