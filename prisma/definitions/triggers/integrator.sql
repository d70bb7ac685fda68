-- Until 0018_contract_account_webhooks.
create trigger follow_first after insert on integrator for each row
  when (new.webhook_endpoint is not null or new.webhook_secret is not null) execute function follow_account_endpoint();
create trigger follow after update of webhook_endpoint, webhook_secret, webhook_secret_at, webhook_previous_secret,
  webhook_previous_until, webhook_failing_since, webhook_disabled_at, webhook_disabled_reason, webhook_prompt on integrator
  for each row execute function follow_account_endpoint();
