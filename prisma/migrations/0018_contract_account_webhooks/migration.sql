-- The endpoint of an account is its default webhook endpoint. The columns that 3.0 has it in go, with what kept both alike.
drop trigger if exists follow on integrator;
drop trigger if exists follow_first on integrator;
drop trigger if exists follow on webhook_endpoint;
drop function if exists follow_account_endpoint, follow_default_endpoint;
alter table integrator drop column webhook_endpoint,
  drop column webhook_secret,
  drop column webhook_secret_at,
  drop column webhook_previous_secret,
  drop column webhook_previous_until,
  drop column webhook_failing_since,
  drop column webhook_disabled_at,
  drop column webhook_disabled_reason,
  drop column webhook_prompt;
