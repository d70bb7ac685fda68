create trigger append_only before update or delete on audit_log for each row execute function refuse_rewriting();
create trigger append_only_whole before truncate on audit_log for each statement execute function refuse_rewriting();
