create trigger append_only before update or delete or truncate on withdrawn_fee for each statement execute function refuse_rewriting();
