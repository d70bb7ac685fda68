-- The feed of facts: assessments that changed in what facts say of them. A change of a person's status waits for its step.
create or replace function feed_assessments() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document)
  select 'assessment', n.name from new_rows n join old_rows o using (name)
  where coalesce(n.assessed_at, o.assessed_at) is not null
    and (n.status, n.assessed_at, n.paid_at, n.cancelled_at, n.cancel_reason, n.citizen, n.currency, n.shift)
      is distinct from (o.status, o.assessed_at, o.paid_at, o.cancelled_at, o.cancel_reason, o.citizen, o.currency, o.shift);
  insert into people_waiting (kind, document, was, becomes)
  select 'assessment', n.name, nullif(o.status, 'Draft'), n.status from new_rows n join old_rows o using (name)
  where n.assessed_at is not null and n.status <> o.status and exists (select from people_step);
  return null;
end $$;
