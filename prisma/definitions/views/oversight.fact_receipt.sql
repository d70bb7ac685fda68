create or replace view oversight.fact_receipt as
  select e.name as document, r.name as receipt, (r.created_at at time zone 'utc')::date as day, e.mda, e.channel::text as channel,
    r.status::text as status, r.copies
  from payment_event e join receipt r on r.intent = e.intent where e.kind = 'payment' and r.replaced_by is null;
