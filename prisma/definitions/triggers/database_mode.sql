create trigger append_only before update or delete or truncate on database_mode for each statement execute function refuse_rewriting();
