-- A payment names its documents fewer times in the feed: rows of one transaction that name the same one are read once, and written for nothing.

-- An intent is confirmed in the transaction that inserts its events, which the database demands of both. They name the assessment.
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

-- A payment begins the notices of all its agencies at once.
create function feed_notices() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) select distinct 'propagation', assessment from changed;
  return null;
end $$;
drop trigger feed_queued on propagation;
create trigger feed_queued after insert on propagation referencing new table as changed for each statement execute function feed_notices();
create trigger feed_gone after delete on propagation referencing old table as changed for each statement execute function feed_notices();
create or replace function feed_propagations() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) values ('propagation', new.assessment);
  return null;
end $$;
