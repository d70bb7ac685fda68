create trigger shift_counted before update of cash_collected, non_cash_collected, collection_count, cash_counted, opening_float on counter_shift
  for each row when (old.status <> 'Open' and (old.cash_collected, old.non_cash_collected, old.collection_count, old.cash_counted, old.opening_float)
    is distinct from (new.cash_collected, new.non_cash_collected, new.collection_count, new.cash_counted, new.opening_float))
  execute function refuse_recounting();
create trigger feed_closed after insert on counter_shift for each row when (new.status = 'Closed') execute function feed_document('shift');
-- An open shift is no fact: payments are counted in it.
create trigger feed after update on counter_shift for each row
  when ((old.status = 'Closed' or new.status = 'Closed') and
    (old.status, old.mda, old.closed_at, old.currency, old.clerk, old.counter_label, old.opening_float, old.cash_collected, old.cash_counted,
      old.variance, old.variance_status)
    is distinct from
    (new.status, new.mda, new.closed_at, new.currency, new.clerk, new.counter_label, new.opening_float, new.cash_collected, new.cash_counted,
      new.variance, new.variance_status))
  execute function feed_document('shift');
create trigger wait_closed after insert on counter_shift for each row when (new.status = 'Closed') execute function wait_for_shifts();
create trigger wait after update on counter_shift for each row when (old.status <> 'Closed' and new.status = 'Closed') execute function wait_for_shifts();
create trigger feed_assessments after update on counter_shift for each row when (old.clerk is distinct from new.clerk)
  execute function feed_assessments_of_shift();
create trigger remake_copies after update on counter_shift for each row
  when ((old.mda, old.counter_label) is distinct from (new.mda, new.counter_label)) execute function remake_copies();
