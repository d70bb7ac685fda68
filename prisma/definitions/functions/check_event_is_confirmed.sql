-- A payment event belongs to a Confirmed intent.
create or replace function check_event_is_confirmed() returns trigger language plpgsql as $$
begin
  if (select status from payment_intent where name = new.intent) <> 'Confirmed' then
    raise exception 'event % belongs to an intent that is not Confirmed', new.name using errcode = 'check_violation';
  end if;
  return null;
end $$;
