-- Until 0018_contract_account_webhooks.
create trigger follow after insert or update on webhook_endpoint for each row when (new.is_default) execute function follow_default_endpoint();
