-- Payments are facts of their events, which are only added: each is read once, even if its assessment changes later. What else follows from
-- the payments of an assessment is read again, and so is money that an event has now.
create or replace function feed_payment_events() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document)
  select distinct 'assessment', assessment from new_rows union all select 'payment', name from new_rows
  union all select 'money', m.name from new_rows n join payment_intent i on i.name = n.intent
    join money_received m on m.provider = i.aggregator and m.txn_id = n.txn_id;
  return null;
end $$;
