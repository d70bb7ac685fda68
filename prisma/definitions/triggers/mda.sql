create trigger feed after insert or update or delete or truncate on mda for each statement execute function feed_catalogue();
create trigger feed_country after update of country on mda for each row when (new.country <> old.country) execute function remake_copies();
create trigger feed_account after insert or update of collection_account on mda for each row execute function feed_account();
