-- The first change that waits of each document and of each attempt: a join, of some documents by their index and of all in bulk.
create or replace view first_waiting as
  select w.document, w.intent, w.id, w.was from people_waiting w
  where not exists (
    select from people_waiting o where o.document = w.document and coalesce(o.intent, '') = coalesce(w.intent, '') and o.id < w.id);
