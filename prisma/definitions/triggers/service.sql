create trigger drafts_follow_fees after update of fee_amount on service
  for each row when (old.fee_amount is distinct from new.fee_amount) execute function reprice_drafts();
create trigger count_change after insert or update or delete or truncate on service for each statement execute function count_catalogue_change();
create trigger feed after insert or update or delete on service for each statement execute function feed_catalogue();
