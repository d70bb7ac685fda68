-- Receipts are facts of the payment events that they prove. A new one comes with its events, which are in the feed.
create or replace function feed_receipt() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) select 'payment', name from payment_event where intent = new.intent and kind = 'payment';
  return null;
end $$;
