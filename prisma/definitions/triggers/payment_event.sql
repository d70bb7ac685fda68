create trigger append_only before update or delete or truncate on payment_event for each statement execute function refuse_rewriting();
create constraint trigger event_of_confirmed_intent after insert on payment_event
  deferrable initially deferred for each row execute function check_event_is_confirmed();
create trigger queue_payment_events after insert on payment_event referencing new table as added
  for each statement execute function queue_payment_events();
-- Bulk loads that switch other triggers off are counted too.
alter table payment_event enable always trigger queue_payment_events;
create trigger feed after insert on payment_event referencing new table as new_rows for each statement execute function feed_payment_events();
create constraint trigger reversal_within_payment after insert on payment_event
  deferrable initially deferred for each row when (new.kind = 'reversal') execute function check_refund();
