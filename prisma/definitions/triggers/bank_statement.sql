create trigger append_only before update or delete or truncate on bank_statement for each statement execute function refuse_rewriting();
