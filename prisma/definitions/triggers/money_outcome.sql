create trigger append_only before update or delete or truncate on money_outcome for each statement execute function refuse_rewriting();
create constraint trigger within_money after insert on money_outcome
  deferrable initially deferred for each row execute function check_money();
create trigger feed after insert on money_outcome for each row execute function feed('money', 'money');
