create trigger append_only before update or delete or truncate on operator_audit for each statement execute function refuse_rewriting();
