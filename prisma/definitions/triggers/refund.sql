create constraint trigger within_payment after insert or update of status on refund
  deferrable initially deferred for each row when (new.intent is not null) execute function check_refund();
create constraint trigger within_money after insert or update of status on refund
  deferrable initially deferred for each row when (new.money is not null) execute function check_money();
create trigger settled before update of intent, assessment, money, amount, currency, booked on refund for each row
  when ((old.intent, old.assessment, old.money, old.amount, old.currency, old.booked)
    is distinct from (new.intent, new.assessment, new.money, new.amount, new.currency, new.booked))
  execute function refuse_change('what refund %s gives back is settled', 'check_violation');
create trigger feed_money after insert or update of status on refund for each row when (new.money is not null) execute function feed('money', 'money');
create trigger feed after insert or update of status on refund for each row when (new.status = 'Done') execute function feed('refund', 'name');
