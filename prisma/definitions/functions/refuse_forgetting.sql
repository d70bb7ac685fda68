-- What a key of receipts has signed is verified by its public half for good.
create or replace function refuse_forgetting() returns trigger language plpgsql as $$
begin
  raise exception 'the key % of receipts is kept', old.kid using errcode = 'restrict_violation';
end $$;
