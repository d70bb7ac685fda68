create trigger append_only before update or delete or truncate on reconciliation_run for each statement execute function refuse_rewriting();
create trigger feed after insert on reconciliation_run for each row execute function feed('statement', 'name');
