-- What integrators are told, and how that went.

-- What was written before there was anybody to tell is not told.
alter table outbox add column relayed_at timestamptz(3);
update outbox set relayed_at = now();
create index outbox_unrelayed_idx on outbox (created_at, object, sequence) where relayed_at is null;

-- The secret that webhooks are signed with, sealed, and the one before while it signs too; how the endpoint does.
alter table integrator
  add column webhook_secret bytea,
  add column webhook_previous_secret bytea,
  add column webhook_previous_until timestamptz(3),
  add column webhook_failing_since timestamptz(3),
  add column webhook_disabled_at timestamptz(3);

create table webhook_delivery (
  name text primary key,
  message uuid not null references outbox (id),
  integrator text not null references integrator (code) on update cascade,
  type text not null,
  object text not null,
  sequence integer not null,
  status text not null check (status in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0,
  next_attempt_at timestamptz(3),
  claimed_until timestamptz(3),
  last_http_status integer,
  created_at timestamptz(3) not null,
  delivered_at timestamptz(3),
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((status = 'delivered') = (delivered_at is not null))
);
create unique index webhook_delivery_message_key on webhook_delivery (message);
create index webhook_delivery_due_idx on webhook_delivery (integrator, next_attempt_at) where status = 'pending';
create index webhook_delivery_claimed_idx on webhook_delivery (integrator, claimed_until) where status = 'pending' and claimed_until is not null;
create index webhook_delivery_order_idx on webhook_delivery (integrator, object, sequence) where status = 'pending';
create index webhook_delivery_created_at_idx on webhook_delivery (created_at desc, name desc);
create index webhook_delivery_integrator_idx on webhook_delivery (integrator, created_at desc, name desc);

create table webhook_attempt (
  id bigint generated always as identity primary key,
  delivery text not null references webhook_delivery (name),
  at timestamptz(3) not null,
  endpoint text not null,
  http_status integer,
  duration_ms integer not null,
  error text,
  answer text
);
create index webhook_attempt_delivery_idx on webhook_attempt (delivery, id);
create trigger append_only before update or delete or truncate on webhook_attempt for each statement execute function refuse_rewriting();
