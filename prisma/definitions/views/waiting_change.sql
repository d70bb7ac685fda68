-- What waits of each document, and of each attempt: from the status that is disclosed to the present one, without those between; or, with
-- no `last`, the cause alone.
create or replace view waiting_change as
  select kind, document, intent, min(id) as id, max(id) filter (where becomes <> 'cause') as last, (array_agg(was order by id))[1] as was
  from people_waiting group by kind, document, intent;
