-- Until 0018_contract_account_webhooks, the other way: what is written of a default endpoint is written of its account.
create or replace function follow_default_endpoint() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() > 1 then return null; end if;
  update integrator set webhook_endpoint = new.url, webhook_secret = new.secret, webhook_secret_at = new.secret_at,
    webhook_previous_secret = new.previous_secret, webhook_previous_until = new.previous_until,
    webhook_failing_since = new.failing_since, webhook_disabled_at = new.disabled_at,
    webhook_disabled_reason = new.disabled_reason, webhook_prompt = new.prompt
  where code = new.integrator;
  return null;
end $$;
