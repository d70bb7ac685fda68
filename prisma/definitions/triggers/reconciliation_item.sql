create trigger append_only before update or delete or truncate on reconciliation_item for each statement execute function refuse_rewriting();
create trigger feed after insert on reconciliation_item referencing new table as changed for each statement execute function feed('statement', 'run');
