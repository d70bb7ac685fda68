create trigger count_change after insert or update or delete or truncate on country for each statement execute function count_catalogue_change();
create trigger feed after insert or update or delete on country for each statement execute function feed_catalogue();
create trigger feed_time_zones after update of time_zone on country for each row when (new.time_zone <> old.time_zone) execute function remake_copies();
create trigger feed_first_time_zone after insert on country for each row execute function feed_first_time_zone();
