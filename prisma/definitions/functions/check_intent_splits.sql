-- The splits of an intent add up to its amount, and equal the lines.
create or replace function check_intent_splits() returns trigger language plpgsql as $$
begin
  if (select coalesce(sum(amount), 0) from split_rule where intent = new.name) <> new.amount then
    raise exception 'the splits of % do not equal its amount', new.name using errcode = 'check_violation';
  end if;
  if not new.split_override and exists (
    select from (select mda, amount from split_rule where intent = new.name) s
    full join (select mda, sum(amount) as amount from assessment_line where assessment = new.assessment group by mda having sum(amount) > 0) l using (mda)
    where s.amount is distinct from l.amount
  ) then
    raise exception 'the splits of % do not give each agency what its lines owe', new.name using errcode = 'check_violation';
  end if;
  return null;
end $$;
