-- Payments are facts of their events, which are only added: each is read once, even if its assessment changes later. What else follows from
-- the payments of an assessment is read again.
create or replace function feed_payment_events() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document)
  select distinct 'assessment', assessment from new_rows union all select 'payment', name from new_rows;
  return null;
end $$;
