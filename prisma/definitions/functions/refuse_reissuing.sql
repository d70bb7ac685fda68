-- The content of a receipt is signed. Only its status, its replacement and its number of copies may change.
create or replace function refuse_reissuing() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (new.name, new.intent, new.assessment, new.integrator, new.payload, new.signature, new.kid, new.code, new.created_at)
        is not distinct from (old.name, old.intent, old.assessment, old.integrator, old.payload, old.signature, old.kid, old.code, old.created_at)
      and new.copies >= old.copies and (old.status = 'Issued' or (new.status = 'Void' and new.replaced_by is not distinct from old.replaced_by)) then
      return new;
    end if;
    raise exception 'receipt % is signed', old.name using errcode = 'restrict_violation';
  end if;
  raise exception 'receipts are never deleted' using errcode = 'restrict_violation';
end $$;
