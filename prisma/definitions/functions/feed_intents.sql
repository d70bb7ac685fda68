-- The assessments of intents that changed. Confirmation is not among it: it inserts payment events in the same transaction, and those name
-- the assessment.
create or replace function feed_intents() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document)
  select distinct 'assessment', n.assessment from new_rows n join old_rows o using (name)
  where (n.status, n.failure_reason) is distinct from (o.status, o.failure_reason) and (n.status <> 'Confirmed' or o.status = 'Confirmed');
  insert into people_waiting (kind, document, intent, was, becomes)
  select 'assessment', n.assessment, n.name, c.was, c.becomes from new_rows n join old_rows o using (name)
  cross join lateral (values (1, nullif(o.status, 'Pending')::text, n.status::text), (2, 'Failed', 'cause')) c (place, was, becomes)
  where n.status not in (o.status, 'Pending') and (c.place = 1 or n.status = 'Failed') and exists (select from people_step)
  order by n.name, c.place;
  return null;
end $$;
