-- How an endpoint does, for whoever sends there and whoever wonders why nothing comes.
alter table integrator
  -- Why nothing is sent there any more: 'answered_gone' or 'kept_failing'.
  add column webhook_disabled_reason text check (webhook_disabled_reason in ('answered_gone', 'kept_failing')),
  -- Whether it took the last message within a second: such an endpoint may have more messages on their way to it.
  add column webhook_prompt boolean not null default false,
  -- When the secret that signs was made; the request that made it may show it once more if its first answer was lost.
  add column webhook_secret_at timestamptz(3);
update integrator set webhook_disabled_reason = 'kept_failing' where webhook_disabled_at is not null;
alter table integrator add constraint webhook_disabled_for_a_reason check ((webhook_disabled_at is null) = (webhook_disabled_reason is null));
