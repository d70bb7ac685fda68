create constraint trigger intent_equals_splits after insert on payment_intent
  deferrable initially deferred for each row execute function check_intent_splits();
create constraint trigger intent_equals_events after insert or update of status on payment_intent
  deferrable initially deferred for each row execute function check_intent_events();
create trigger intent_settled before update of assessment, amount, currency, split_override on payment_intent for each row
  when ((old.assessment, old.amount, old.currency, old.split_override) is distinct from (new.assessment, new.amount, new.currency, new.split_override))
  execute function refuse_change('what %s collects, and for what, is settled when it is made', 'check_violation');
create trigger forget_payer before update of status on payment_intent for each row
  when (new.status not in ('Pending', 'Sent')) execute function forget_payer();
create trigger feed after update on payment_intent referencing old table as old_rows new table as new_rows
  for each statement execute function feed_intents();
create trigger feed_new after insert on payment_intent for each row when (new.status <> 'Pending')
  execute function feed_waiting('assessment', 'assessment', 'name');
create trigger remake_copies after update on payment_intent for each row
  when (old.status = 'Confirmed' and old.aggregator is distinct from new.aggregator) execute function remake_copies();
create trigger one_book before insert on payment_intent for each row when (new.status = 'Confirmed') execute function keep_in_one_book();
