create or replace view oversight.fact_money_received as
  select name as document, provider, channel::text as channel, currency, amount, (created_at at time zone 'utc')::date as day,
    amount - coalesce((select sum(o.amount) from money_outcome o where o.money = m.name), 0)
      - coalesce((select sum(f.amount) from refund f where f.money = m.name and f.status in ('Requested', 'Approved')), 0) as open
  from money_received m
  where not exists (select from payment_event e where e.intent = m.intent and e.txn_id = m.txn_id);
