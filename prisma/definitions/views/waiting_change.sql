-- The waiting change of each document and each attempt: from the disclosed status to the present one, without those between. Without a
-- `last`, only the cause changes.
create or replace view waiting_change as
  select kind, document, intent, min(id) as id, max(id) filter (where becomes <> 'cause') as last, (array_agg(was order by id))[1] as was
  from people_waiting group by kind, document, intent;
