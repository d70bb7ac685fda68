create trigger append_only before update or delete or truncate on citizen_access for each statement execute function refuse_rewriting();
