-- What became of money, and waits to be given back, is at most what arrived. Of two statements at once the second waits for the first, sees
-- what it did, and is tried again.
create or replace function check_money() returns trigger language plpgsql as $$
declare
  arrived numeric := (select amount from money_received where name = new.money for no key update);
begin
  if arrived < coalesce((select sum(amount) from money_outcome where money = new.money), 0)
      + coalesce((select sum(amount) from refund where money = new.money and status in ('Requested', 'Approved')), 0) then
    raise exception 'more of % would be settled than arrived', new.money using errcode = 'serialization_failure';
  end if;
  return null;
end $$;
