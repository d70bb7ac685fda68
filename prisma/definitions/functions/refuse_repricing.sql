-- A payment reference stands for the same for as long as it is known.
create or replace function refuse_repricing() returns trigger language plpgsql as $$
begin
  raise exception 'what payment reference % stands for does not change', old.number using errcode = 'check_violation';
end $$;
