-- Messages are written once: what waits to be handed on is a narrow queue. Each message was updated, payload and all, to say that it had been.
lock table outbox;
create table outbox_queue (
  created_at timestamptz(3) not null,
  message uuid not null,
  primary key (created_at, message)
);
insert into outbox_queue (created_at, message) select created_at, id from outbox where relayed_at is null;

-- Processes of 2.0 look for messages that have no relayed_at. They add messages as they did, and find none: those of this version take them all.
update outbox set relayed_at = created_at where relayed_at is null;
drop index outbox_unrelayed_idx;
create function queue_message() returns trigger language plpgsql as $$
begin
  insert into outbox_queue (created_at, message) values (new.created_at, new.id);
  new.relayed_at := new.created_at;
  return new;
end $$;
create trigger queued before insert on outbox for each row when (new.relayed_at is null) execute function queue_message();
create trigger append_only before update or delete or truncate on outbox for each statement execute function refuse_rewriting();

-- One only grows now, the other is empty most of the time.
alter table outbox reset (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold);
alter table outbox_queue set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 1000);
