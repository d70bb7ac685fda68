-- Until 0018_contract_account_webhooks, for processes that do not know endpoints: the columns of an account and its default
-- endpoint say the same. What is written of one is written of the other.
create or replace function follow_account_endpoint() returns trigger language plpgsql as $$
declare
  year text := to_char(now() at time zone 'utc', 'YYYY');
  number bigint;
begin
  if pg_trigger_depth() > 1 then return null; end if;
  update webhook_endpoint set url = new.webhook_endpoint, secret = new.webhook_secret, secret_at = new.webhook_secret_at,
    previous_secret = new.webhook_previous_secret, previous_until = new.webhook_previous_until,
    failing_since = new.webhook_failing_since, disabled_at = new.webhook_disabled_at,
    disabled_reason = new.webhook_disabled_reason, prompt = new.webhook_prompt, updated_at = new.updated_at
  where integrator = new.code and is_default;
  if found or (new.webhook_endpoint is null and new.webhook_secret is null) then return null; end if;
  insert into docname_counter as c (series, next) values ('EP-' || year, 2)
  on conflict (series) do update set next = c.next + 1 returning next - 1 into number;
  insert into webhook_endpoint (name, integrator, place, label, url, secret, secret_at, previous_secret,
    previous_until, failing_since, disabled_at, disabled_reason, prompt, created_at, updated_at)
  values ('EP-' || year || '-' || lpad(number::text, 6, '0'), new.code, 0, 'default', new.webhook_endpoint,
    new.webhook_secret, new.webhook_secret_at, new.webhook_previous_secret, new.webhook_previous_until,
    new.webhook_failing_since, new.webhook_disabled_at, new.webhook_disabled_reason, new.webhook_prompt, new.updated_at,
    new.updated_at);
  return null;
end $$;
