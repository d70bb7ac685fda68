create trigger queued before insert on outbox for each row when (new.relayed_at is null) execute function queue_message();
create trigger append_only before update or delete or truncate on outbox for each statement execute function refuse_rewriting();
