create trigger feed_registered after insert on citizen referencing new table as changed for each statement execute function feed_registrations();
create trigger feed_gone after delete on citizen referencing old table as changed for each statement execute function feed_registrations();
create trigger feed after update on citizen for each row when (old.created_at <> new.created_at) execute function feed_registrations();
