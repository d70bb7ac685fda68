create trigger append_only before update or delete or truncate on trace_row for each statement execute function refuse_rewriting();
