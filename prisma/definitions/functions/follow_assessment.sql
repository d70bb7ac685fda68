-- A payment reference that is Issued becomes Paid or Withdrawn with its assessment. Where another number was paid, the
-- intent belongs to that one.
create or replace function follow_assessment() returns trigger language plpgsql as $$
begin
  update payment_reference r set paid_by = p.intent, revision = r.revision + 1, updated_at = new.updated_at,
    status = (case when p.intent is null then 'Withdrawn' else 'Paid' end)::payment_reference_status
  from (select min(i.name) as intent from payment_intent i
    where new.status = 'Paid' and i.assessment = new.name and i.status = 'Confirmed'
      and not exists (select from payment_reference o where o.paid_by = i.name)) p
  where r.assessment = new.name and r.status = 'Issued';
  return null;
end $$;
