create trigger feed after insert or update or delete or truncate on country for each statement execute function feed_catalogue();
create trigger feed_time_zone after insert or update of time_zone on country for each row execute function feed_time_zone();
