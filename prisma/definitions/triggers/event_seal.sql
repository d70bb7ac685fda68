create trigger append_only before update or delete or truncate on event_seal for each statement execute function refuse_rewriting();
