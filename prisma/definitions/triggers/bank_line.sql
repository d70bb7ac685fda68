create trigger stated before update on bank_line for each row
  when ((new.name, new.statement, new.idx, new.account, new.booked_on, new.value_on, new.amount, new.currency, new.reference, new.text)
    is distinct from (old.name, old.statement, old.idx, old.account, old.booked_on, old.value_on, old.amount, old.currency, old.reference, old.text))
  execute function refuse_restating();
create trigger kept before delete or truncate on bank_line for each statement execute function refuse_restating();
create trigger feed after insert or update of kind, provider, from_on, to_on on bank_line for each row execute function feed('bank', 'name');
