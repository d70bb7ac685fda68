-- A payment reference stands for the same for as long as it is known.
create or replace function refuse_repricing() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (new.number, new.assessment, new.amount, new.currency)
      is not distinct from (old.number, old.assessment, old.amount, old.currency) then
    return new;
  end if;
  raise exception 'what payment reference % stands for does not change', old.number using errcode = 'check_violation';
end $$;
