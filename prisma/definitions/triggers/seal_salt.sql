create trigger append_only before update or delete or truncate on seal_salt for each statement execute function refuse_rewriting();
