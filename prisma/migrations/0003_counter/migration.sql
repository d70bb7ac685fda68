-- Counters and those who work at them, supervision, and the operations console.

-- Staff of the operator and of agencies.
create table staff (
  email text primary key,
  name text not null,
  roles text[] not null check (roles <@ '{clerk,supervisor,admin,system_manager,oversight}' and cardinality(roles) > 0),
  password_hash text not null,
  active boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create table staff_session (
  id uuid primary key,
  staff text not null references staff (email),
  hash bytea not null,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  ended_by text
);
create unique index staff_session_hash_key on staff_session (hash);
create index staff_session_created_at_idx on staff_session (created_at desc, id desc);

-- Failed logins by a keyed hash of the address, whether anybody has it or not.
create table login_failures (
  address bytea primary key,
  failures integer not null,
  last_failed_at timestamptz(3) not null,
  locked_until timestamptz(3)
);

-- What a shift collected, how it was closed, and what was decided of its variance.
create type variance_status as enum ('Pending', 'Approved', 'Rejected', 'Escalated');
alter table counter_shift
  add column integrator text references integrator (code),
  add column cash_collected numeric(19, 4) not null default 0,
  add column non_cash_collected numeric(19, 4) not null default 0,
  add column collection_count integer not null default 0,
  add column cash_counted numeric(19, 4),
  add column denominations jsonb,
  add column variance numeric(19, 4),
  add column variance_reason text,
  add column variance_status variance_status,
  add column variance_note text,
  add column variance_decided_by text,
  add column variance_decided_at timestamptz(3),
  add column closing_notes text,
  add column cancel_reason text,
  add column revision integer not null default 1;
alter table counter_shift add column expected_cash numeric(19, 4) generated always as (opening_float + cash_collected) stored;
alter table counter_shift add constraint shift_float check (opening_float >= 0);
alter table counter_shift add constraint shift_closed check ((status = 'Open') = (closed_at is null) and (status <> 'Closed' or cash_counted is not null));
alter table counter_shift add constraint shift_variance check (
  status <> 'Closed' or (variance = cash_counted - (opening_float + cash_collected) and (variance = 0) = (variance_status is null)
    and (variance = 0 or coalesce(variance_reason, '') <> ''))
);
-- Four eyes: nobody decides on a shift of their own.
alter table counter_shift add constraint shift_four_eyes check (variance_decided_by is null or variance_decided_by <> clerk);
create index counter_shift_created_at_idx on counter_shift (created_at desc, name desc);
create index counter_shift_clerk_idx on counter_shift (clerk, created_at desc, name desc);
create index counter_shift_review_idx on counter_shift (variance_status, created_at desc, name desc) where variance_status is not null;

-- What a shift counted stays as it was counted.
create function refuse_recounting() returns trigger language plpgsql as $$
begin
  raise exception '% is % and counted', old.name, old.status using errcode = 'restrict_violation';
end $$;
create trigger shift_counted before update of cash_collected, non_cash_collected, collection_count, cash_counted, opening_float on counter_shift
  for each row when (old.status <> 'Open' and (old.cash_collected, old.non_cash_collected, old.collection_count, old.cash_counted, old.opening_float)
    is distinct from (new.cash_collected, new.non_cash_collected, new.collection_count, new.cash_counted, new.opening_float))
  execute function refuse_recounting();

-- Keys that an operator issued can do what those that integrators issue themselves never can.
alter table api_key add column issued_by text;
-- What an operator writes down about an account.
alter table integrator add column notes text;
alter table integrator add column suspended_reason text;

-- Anomalies that somebody looked into.
alter table anomaly
  add column resolved_at timestamptz(3),
  add column resolved_by text,
  add column resolution text;
alter table anomaly add constraint anomaly_resolved check ((status = 'Resolved') = (resolved_at is not null));
create index anomaly_raised_at_idx on anomaly (raised_at desc, name desc);

-- What operators changed: who, what, before, after and why.
create table operator_audit (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null,
  actor text not null,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  reason text,
  request_id text not null
);
create index operator_audit_subject_idx on operator_audit (subject, id desc);
create trigger append_only before update or delete or truncate on operator_audit for each statement execute function refuse_rewriting();

-- Notices of the service to its users.
create table service_notice (
  name text primary key,
  title text not null,
  body text not null,
  severity text not null check (severity in ('info', 'warning', 'critical')),
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3),
  created_by text not null,
  created_at timestamptz(3) not null,
  check (ends_at is null or ends_at > starts_at)
);
create index service_notice_created_at_idx on service_notice (created_at desc, name desc);

-- Endpoints of connected agencies.
create table agency_endpoint (
  id text primary key,
  method text not null,
  path text not null,
  agency_kind text not null,
  version text not null,
  auth_mode text not null,
  probed_at timestamptz(3),
  probe_status text,
  probe_ms integer,
  unique (method, path)
);
insert into agency_endpoint (id, method, path, agency_kind, version, auth_mode) values
  ('business-search', 'GET', '/v1/business/search', 'business registry', 'v1.4', 'OAuth2'),
  ('business-register', 'POST', '/v1/business/register', 'business registry', 'v1.4', 'OAuth2'),
  ('tin-verify', 'GET', '/v2/tin/verify', 'tax authority', 'v2.0', 'OAuth2'),
  ('tax-payment', 'POST', '/v2/tax/payment', 'tax authority', 'v2.0', 'mTLS'),
  ('nin-verify', 'GET', '/v1/nin/verify', 'national identity authority', 'v1.2', 'OAuth2'),
  ('permits-apply', 'POST', '/v1/permits/apply', 'city authority', 'v1.0', 'API Key'),
  ('property-lookup', 'GET', '/v1/property/lookup', 'city authority', 'v1.0', 'API Key'),
  ('member-balance', 'GET', '/v1/member/balance', 'social security fund', 'v1.0-beta', 'OAuth2'),
  ('standards-certificate', 'GET', '/v1/standards/certificate', 'standards body', 'v1.1', 'API Key'),
  ('facilities-search', 'GET', '/v1/facilities/search', 'health ministry', 'v1.0', 'API Key');
