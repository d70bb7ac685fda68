-- The total of an assessment is frozen once it is no Draft.
create or replace function refuse_thawing() returns trigger language plpgsql as $$
begin
  if old.status <> 'Draft' and (new.total_amount, new.currency, new.line_count) is distinct from (old.total_amount, old.currency, old.line_count) then
    raise exception 'the total of assessment % is frozen', old.name using errcode = 'check_violation';
  end if;
  return new;
end $$;
