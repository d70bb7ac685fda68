create trigger append_only before update or delete or truncate on fiscal_document for each statement execute function refuse_rewriting();
