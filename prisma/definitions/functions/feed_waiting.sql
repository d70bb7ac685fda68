-- feed_waiting(kind, column, column of the intent): a document or an intent has a status that facts say; that it has waits for the next step.
create or replace function feed_waiting() returns trigger language plpgsql as $$
declare
  given jsonb := to_jsonb(new);
begin
  insert into fact_change (kind, document) values (tg_argv[0], given ->> tg_argv[1]);
  insert into people_waiting (kind, document, intent, becomes)
  select tg_argv[0], given ->> tg_argv[1], given ->> tg_argv[2], given ->> 'status' from people_step;
  return null;
end $$;
