create trigger append_only before update or delete or truncate on oversight_stream for each statement execute function refuse_rewriting();
