create trigger shift_counted before update of cash_collected, non_cash_collected, collection_count, cash_counted, opening_float on counter_shift
  for each row when (old.status <> 'Open' and (old.cash_collected, old.non_cash_collected, old.collection_count, old.cash_counted, old.opening_float)
    is distinct from (new.cash_collected, new.non_cash_collected, new.collection_count, new.cash_counted, new.opening_float))
  execute function refuse_change('%s is %s and counted', 'restrict_violation');
-- An open shift is no fact: payments are counted in it.
create trigger feed_closed after insert on counter_shift for each row when (new.status = 'Closed') execute function feed_waiting('shift', 'name');
create trigger feed_closing after update on counter_shift for each row when (old.status <> 'Closed' and new.status = 'Closed')
  execute function feed_waiting('shift', 'name');
create trigger feed after update on counter_shift for each row
  when (old.status = 'Closed' and
    (old.status, old.mda, old.closed_at, old.currency, old.clerk, old.counter_label, old.opening_float, old.cash_collected, old.cash_counted,
      old.variance, old.variance_status)
    is distinct from
    (new.status, new.mda, new.closed_at, new.currency, new.clerk, new.counter_label, new.opening_float, new.cash_collected, new.cash_counted,
      new.variance, new.variance_status))
  execute function feed('shift', 'name');
-- Facts name the counter of payments, and say whether its clerk took the money back.
create trigger remake_copies after update on counter_shift for each row
  when ((old.mda, old.counter_label, old.clerk) is distinct from (new.mda, new.counter_label, new.clerk)) execute function remake_copies();
