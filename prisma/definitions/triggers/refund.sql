create constraint trigger within_payment after insert or update of status on refund
  deferrable initially deferred for each row execute function check_refund();
create trigger settled before update of intent, assessment, amount, currency, booked on refund for each row
  when ((old.intent, old.assessment, old.amount, old.currency, old.booked) is distinct from (new.intent, new.assessment, new.amount, new.currency, new.booked))
  execute function refuse_change('what refund %s gives back is settled', 'check_violation');
