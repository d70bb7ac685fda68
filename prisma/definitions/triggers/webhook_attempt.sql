create trigger append_only before update or delete or truncate on webhook_attempt for each statement execute function refuse_rewriting();
