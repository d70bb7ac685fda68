-- Splits are made with their intent: together they are its amount.
create or replace function check_split_is_new() returns trigger language plpgsql as $$
begin
  if (select sum(amount) from split_rule where intent = new.intent) <> (select amount from payment_intent where name = new.intent) then
    raise exception 'the splits of % do not equal its amount', new.intent using errcode = 'check_violation';
  end if;
  return null;
end $$;
