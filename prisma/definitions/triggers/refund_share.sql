create trigger append_only before update or delete or truncate on refund_share for each statement execute function refuse_rewriting();
