create trigger feed after update on propagation for each row
  when ((old.kind, old.status, old.created_at) is distinct from (new.kind, new.status, new.created_at)) execute function feed('propagation', 'assessment');
create trigger feed_queued after insert on propagation referencing new table as changed for each statement execute function feed('propagation', 'assessment');
create trigger feed_gone after delete on propagation referencing old table as changed for each statement execute function feed('propagation', 'assessment');
