create trigger append_only_whole before update or delete or truncate on webhook_attempt_rest for each statement execute function refuse_rewriting();
