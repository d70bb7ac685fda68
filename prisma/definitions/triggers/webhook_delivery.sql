create trigger feed_queued after insert on webhook_delivery referencing new table as changed for each statement execute function feed('delivery', 'name');
create trigger feed_gone after delete on webhook_delivery referencing old table as changed for each statement execute function feed('delivery', 'name');
create trigger feed after update on webhook_delivery for each row
  when ((old.status, old.created_at) is distinct from (new.status, new.created_at)) execute function feed('delivery', 'name');
