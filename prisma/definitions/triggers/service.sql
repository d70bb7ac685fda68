create trigger drafts_follow_fees after update on service referencing old table as old_rows new table as new_rows
  for each statement execute function reprice_drafts();
create trigger feed after insert or update or delete or truncate on service for each statement execute function feed_catalogue();
