create trigger feed after delete on people_waiting referencing old table as old_rows for each statement execute function feed_told();
