create trigger append_only before update or delete or truncate on service_fee for each statement execute function refuse_rewriting();
