create trigger key_lifecycle before update of status on api_key for each row when (old.status is distinct from new.status) execute function refuse_reviving();
