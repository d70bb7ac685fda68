-- A message that is written without the moment at which it was queued is queued here.
create or replace function queue_message() returns trigger language plpgsql as $$
begin
  insert into outbox_queue (created_at, message) values (new.created_at, new.id);
  new.relayed_at := new.created_at;
  return new;
end $$;
