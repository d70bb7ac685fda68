-- A Confirmed intent has one payment event a split, of that split's amount; any other has none.
create or replace function check_intent_events() returns trigger language plpgsql as $$
begin
  if (new.status = 'Confirmed') = coalesce(old.status = 'Confirmed', false) then return null; end if;
  if exists (
    select from (select mda, amount from split_rule where intent = new.name and new.status = 'Confirmed') s
    full join (select mda, amount from payment_event where intent = new.name and kind = 'payment') e using (mda)
    where s.amount is distinct from e.amount
  ) then
    raise exception 'the events of % do not equal its splits', new.name using errcode = 'check_violation';
  end if;
  return null;
end $$;
