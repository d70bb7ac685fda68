create trigger append_only before update or delete or truncate on consent_event for each statement execute function refuse_rewriting();
create trigger feed after insert on consent_event referencing new table as added for each statement execute function feed_consents();
