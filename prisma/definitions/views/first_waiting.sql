-- The first change that waits of each document and of each attempt: sorted, not joined with itself, which takes the square of
-- what waits where PostgreSQL believes that the queue is empty.
create or replace view first_waiting as
  select distinct on (document, intent) document, intent, id, was from people_waiting order by document, intent, id;
