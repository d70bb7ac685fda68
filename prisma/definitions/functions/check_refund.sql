-- What goes back of a payment, and waits to go back, is at most what was paid: by agency, and in the refund as it adds up its shares. What a
-- cancellation reversed went back with it. Of two statements at once the second waits for the first, and sees what it did.
create or replace function check_refund() returns trigger language plpgsql as $$
begin
  perform from payment_intent where name = new.intent for no key update;
  if tg_table_name = 'refund' and (select sum(amount) from refund_share where refund = new.name) is distinct from (to_jsonb(new) ->> 'amount')::numeric then
    raise exception 'the shares of % do not add up to its amount', new.name using errcode = 'check_violation';
  end if;
  if exists (
    select from split_rule s where s.intent = new.intent and s.amount
      + coalesce((select sum(e.amount) from payment_event e where e.intent = s.intent and e.mda = s.mda and e.kind = 'reversal'), 0)
      < coalesce((select sum(h.amount) from refund r join refund_share h on h.refund = r.name
          where r.intent = s.intent and h.mda = s.mda and not r.booked and r.status in ('Requested', 'Approved', 'Sent')), 0)
  ) then
    raise exception 'more of % would go back than was paid', new.intent using errcode = 'check_violation';
  end if;
  return null;
end $$;
