-- The tables of the rail, with what they hold whatever the code above does: types, constraints, indexes, and the rows of a new database.
-- prisma/schema describes the columns. Functions, triggers, views and roles are in prisma/definitions.

-- Views of this schema are what oversight reads by (prisma/definitions/roles/rail_oversight.sql).
create schema if not exists oversight;

-- # Catalogue: countries, agencies, services and their fees.

-- A country profile sets its country's row when it is loaded; an agency of a country that is not here goes by UTC and by calendar years.
create table country (
  code text primary key,
  time_zone text not null,
  fiscal_year_month smallint not null check (fiscal_year_month between 1 and 12),
  currency text,
  cash_limit numeric(19, 4),
  shift_cash_limit numeric(19, 4),
  -- Names of sectors and families in other languages, and public holidays: of a year, or of each.
  sectors jsonb not null default '{}',
  families jsonb not null default '{}',
  holidays jsonb not null default '[]',
  -- The days of each week on which banks do not work.
  weekend text[] not null default '{saturday,sunday}',
  -- Whom payers ask, and where they pay by a number.
  help jsonb
);
-- Countries whose profiles come with the rail.
insert into country (code, time_zone, fiscal_year_month, cash_limit, shift_cash_limit) values
  ('KE', 'Africa/Nairobi', 7, 1000000, 20000000), ('UG', 'Africa/Kampala', 7, 25000000, 500000000);

create type interaction_mode as enum ('A', 'B', 'C');
create type mda_status as enum ('Active', 'Sandbox', 'Inactive');
create table mda (
  name text primary key,
  mda_name text not null,
  interaction_mode interaction_mode not null,
  country text not null,
  mda_type text not null,
  status mda_status not null,
  collection_account text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  region text,
  district text,
  revision integer not null default 1,
  cash_limit numeric(19, 4),
  shift_cash_limit numeric(19, 4),
  -- Its names in other languages.
  names jsonb not null default '{}',
  constraint mda_collects_into_an_account check (status <> 'Active' or collection_account is not null),
  constraint mda_cash_limits check (cash_limit >= 0 and shift_cash_limit >= 0)
);

create type service_status as enum ('Active', 'Inactive');
create table service (
  name text primary key,
  service_name text not null,
  code text not null,
  mda text not null references mda (name) on update cascade on delete restrict,
  sector text not null,
  family text not null,
  status service_status not null,
  fee_amount numeric(19, 4) not null,
  currency text not null,
  search_text text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  revision integer not null default 1,
  next_fee_amount numeric(19, 4) check (next_fee_amount >= 0),
  next_fee_from timestamptz(3),
  fee_in_force boolean not null default true,
  names jsonb not null default '{}',
  -- What the law charges; null: the fee for each piece.
  tariff jsonb,
  next_tariff jsonb,
  constraint service_fee_not_negative check (fee_amount >= 0),
  constraint service_next_fee_whole check ((next_fee_amount is null) = (next_fee_from is null)),
  constraint service_next_tariff_has_a_day check (next_tariff is null or next_fee_from is not null)
);
create unique index service_code_key on service (code);
create index service_mda_name_idx on service (mda, name);
create index service_next_fee_from_idx on service (next_fee_from) where next_fee_from is not null;

-- The history of fees. A fee that is set is a new row; none is ever changed.
create table service_fee (
  id bigint generated always as identity primary key,
  service text not null references service (name),
  fee_amount numeric(19, 4) not null,
  currency text not null,
  since timestamptz(3) not null,
  set_by text,
  tariff jsonb
);
create index service_fee_service_idx on service_fee (service, id);

-- A coming fee that is taken back before it holds keeps its row, and is named here.
create table withdrawn_fee (
  fee bigint primary key,
  at timestamptz(3) not null,
  withdrawn_by text not null
);

-- Where an agency's money goes is changed by two people: one asks for it, another one approves. It takes effect later, so that
-- somebody else can still stop it.
create table account_change (
  name text primary key,
  mda text not null references mda (name),
  collection_account text not null,
  former_account text,
  status text not null check (status in ('Pending', 'Approved', 'Refused')),
  reason text not null,
  requested_by text not null,
  created_at timestamptz(3) not null,
  decided_by text,
  decided_at timestamptz(3),
  decision_note text,
  updated_at timestamptz(3) not null,
  effective_at timestamptz(3),
  applied_at timestamptz(3),
  constraint account_change_decided check ((status = 'Pending') = (decided_at is null) and (decided_at is null) = (decided_by is null)),
  constraint account_change_takes_two check (status <> 'Approved' or decided_by <> requested_by),
  constraint account_change_effective check ((status = 'Approved') = (effective_at is not null)),
  constraint account_change_applied check (applied_at is null or applied_at >= effective_at)
);
create index account_change_created_at_idx on account_change (created_at desc, name desc);
create index account_change_mda_idx on account_change (mda, created_at desc, name desc);
create unique index account_change_pending_key on account_change (mda)
  where status = 'Pending' or (status = 'Approved' and applied_at is null);

-- Counts the changes of the catalogue, so that a process knows by one small read whether a list that it answered before is still the
-- list. The count becomes visible together with the change; of two changes at once the second waits for the first.
create table catalogue_version (
  single boolean default true primary key check (single),
  version bigint not null
);
insert into catalogue_version (version) values (0);

-- # Staff: how they sign in, what they did, and what they run.

create table staff (
  email text primary key,
  name text not null,
  roles text[] not null,
  password_hash text,
  active boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  generation integer not null default 0,
  invited_at timestamptz(3),
  deactivated_at timestamptz(3),
  deactivated_reason text,
  break_glass boolean not null default false,
  agencies text[] not null default '{}',
  constraint staff_roles_check check (roles <@ '{clerk,supervisor,admin,system_manager,oversight,finance_officer,auditor}')
);

create table staff_session (
  id uuid primary key,
  staff text not null references staff (email),
  hash bytea not null,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  ended_by text,
  generation integer not null default 0,
  second_factor boolean not null default false,
  signed_on boolean not null default false
);
create unique index staff_session_hash_key on staff_session (hash);
create index staff_session_created_at_idx on staff_session (created_at desc, id desc);
create index staff_session_of_staff_idx on staff_session (staff, created_at desc);

-- Staff who sign in at an identity provider are known by who they are there: an address may change hands.
create table staff_identity (
  issuer text not null,
  subject text not null,
  staff text not null references staff (email),
  created_at timestamptz(3) not null,
  signed_in_at timestamptz(3) not null,
  primary key (issuer, subject)
);
create unique index staff_identity_staff_key on staff_identity (staff, issuer);

-- Sign-ins at the provider that were begun, by the hash of what the browser holds. Each is used once.
create table sign_on_attempt (
  hash bytea primary key,
  return_to text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index sign_on_attempt_expires_at_idx on sign_on_attempt (expires_at);

-- Links that are mailed to staff. Each works once; a hash of it is stored.
create table staff_link (
  id uuid primary key,
  kind text not null check (kind in ('invitation', 'password_reset')),
  staff text references staff (email),
  hash bytea not null unique,
  known boolean not null default true,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  return_to text
);
create index staff_link_staff_idx on staff_link (staff, kind, created_at desc);
create index staff_link_expires_at_idx on staff_link (expires_at);

-- Codes by time (RFC 6238). A secret is sealed, and counts once a code has confirmed it; each code counts once.
create table staff_second_factor (
  staff text primary key references staff (email),
  sealed bytea,
  confirmed_at timestamptz(3),
  last_step bigint,
  pending bytea,
  pending_at timestamptz(3),
  check ((sealed is null) = (confirmed_at is null))
);

create table staff_recovery_code (
  staff text not null references staff (email),
  hash bytea not null,
  created_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (staff, hash)
);

-- Wrong codes after a right password, since the last right code: too many lock the factor.
create table staff_wrong_codes (
  staff text primary key references staff (email) on update cascade,
  codes integer not null check (codes > 0),
  warned_at timestamptz(3)
);

-- Passkeys as second factors.
create table staff_passkey (
  id uuid primary key,
  staff text not null references staff (email) on update cascade,
  label text not null,
  credential_id bytea not null,
  public_key bytea not null,
  transports text[] not null,
  counter bigint not null check (counter >= 0),
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
create unique index staff_passkey_credential_id_key on staff_passkey (credential_id);
create index staff_passkey_staff_idx on staff_passkey (staff, created_at);

-- Challenges that were answered: each counts once.
create table passkey_challenge (
  hash bytea primary key,
  expires_at timestamptz(3) not null
);
create index passkey_challenge_expires_at_idx on passkey_challenge (expires_at);

-- Failed logins by a keyed hash of the address, whether anybody has that address or not.
create table login_failures (
  address bytea primary key,
  failures integer not null,
  last_failed_at timestamptz(3) not null,
  locked_until timestamptz(3)
);

-- What operators changed: who, what, before, after and why.
create table operator_audit (
  id bigserial,
  at timestamptz(3) not null,
  actor text not null,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  reason text,
  request_id text not null
) partition by range (at);
create index operator_audit_subject_idx on operator_audit (subject, id desc);
create index operator_audit_actor_idx on operator_audit (actor, id desc);
create index operator_audit_action_idx on operator_audit (action, id desc);
create table operator_audit_rest partition of operator_audit (primary key (id)) default;

-- Pages of figures that staff keep under a name, and who gets them by mail: how often, and the day they were last sent.
create table saved_view (
  id uuid primary key,
  owner text not null references staff (email) on update cascade on delete cascade,
  name text not null,
  address text not null,
  every text constraint saved_view_every_check check (every in ('day', 'week', 'month')),
  language text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index saved_view_owner_idx on saved_view (owner);

create table saved_view_recipient (
  view uuid not null references saved_view (id) on update cascade on delete cascade,
  staff text not null references staff (email) on update cascade on delete cascade,
  sent_on date not null,
  primary key (view, staff)
);
create index saved_view_recipient_staff_idx on saved_view_recipient (staff);

-- Charts that staff embed in other pages: their address has the token, which shows them as their owner sees them, until they expire.
create table embedded_chart (
  id uuid primary key,
  token text not null unique,
  owner text not null references staff (email) on update cascade on delete cascade,
  name text not null,
  page text not null,
  chart text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index embedded_chart_owner_idx on embedded_chart (owner);

-- Operations that callers register under a name of their own. A version is never changed: another follows it.
create table registered_operation (
  name text not null,
  version integer not null,
  owner text not null,
  document text not null,
  description text not null,
  created_at timestamptz(3) not null,
  constraint registered_operation_pkey primary key (name, version),
  constraint registered_operation_form check (name ~ '^[a-z][a-z0-9-]{2,63}$' and version between 1 and 50)
);
create index registered_operation_owner_idx on registered_operation (owner);

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
  channels text[] not null default '{}'
    check (channels <@ array['mtn_momo', 'airtel_money', 'card', 'cash', 'bank', 'agent', 'ussd']),
  mdas text[] not null default '{}',
  revision integer not null default 1,
  messages integer not null default 0,
  updated_at timestamptz(3) not null default now(),
  withdrawn_at timestamptz(3),
  -- The rooms of pages that show it; none: all do.
  rooms text[] not null default '{}'
    check (rooms <@ array['counter', 'supervision', 'console', 'agency', 'oversight', 'dashboard']),
  check (ends_at is null or ends_at > starts_at)
);
create index service_notice_created_at_idx on service_notice (created_at desc, name desc);

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
  probe_claimed_at timestamptz(3),
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

-- How the endpoints answered, by day.
create table agency_endpoint_day (
  endpoint text not null references agency_endpoint (id),
  day date not null,
  probes integer not null check (probes > 0),
  succeeded integer not null,
  timed integer not null,
  total_ms bigint not null check (total_ms >= 0),
  most_ms integer,
  primary key (endpoint, day),
  check (succeeded between 0 and probes),
  check (timed between 0 and probes),
  check ((most_ms is null) = (timed = 0))
);

-- # Accounts of integrators: keys, sessions, requests and mail.

create type integrator_status as enum ('PendingEmail', 'Active', 'Suspended');
create type integrator_tier as enum ('sandbox', 'live');
create type pricing_tier as enum ('free', 'standard', 'premium');
create table integrator (
  code text primary key,
  display_name text not null,
  contact_email text not null,
  organisation text not null,
  tier integrator_tier not null,
  pricing_tier pricing_tier not null,
  status integrator_status not null,
  email_verified boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  contact_name text,
  contact_phone text,
  anticipated_volume_monthly integer,
  scopes text[] not null,
  last_login_at timestamptz(3),
  tos_version text,
  tos_voided_at timestamptz(3),
  otp_hash bytea,
  otp_expires_at timestamptz(3),
  otp_sent_at timestamptz(3),
  otp_sends_day date,
  otp_sends_today integer not null default 0,
  otp_attempts_day date,
  otp_attempts_today integer not null default 0,
  notes text,
  suspended_reason text,
  network bytea not null default '\x',
  allowed_channels text[] not null default '{*}',
  allowed_agencies text[] not null default '{*}',
  limit_per_minute integer,
  -- Hosts that a payer's browser may be sent to after a payment.
  return_hosts text[] not null default '{}',
  constraint integrator_otp_sends check (otp_sends_today between 0 and 5),
  constraint integrator_otp_attempts check (otp_attempts_today between 0 and 5),
  constraint integrator_otp_pending check (otp_hash is null or (status = 'PendingEmail' and otp_expires_at is not null)),
  constraint integrator_active_verified check (status = 'PendingEmail' or email_verified),
  constraint integrator_volume check (anticipated_volume_monthly >= 0),
  constraint integrator_allowed_channels check (not '*' = any(allowed_channels) or cardinality(allowed_channels) = 1),
  constraint integrator_allowed_agencies check (not '*' = any(allowed_agencies) or cardinality(allowed_agencies) = 1),
  constraint integrator_limit_per_minute check (limit_per_minute > 0)
);
create index integrator_pending_idx on integrator (created_at) where status = 'PendingEmail';
create unique index integrator_contact_email_key on integrator (contact_email) where status <> 'PendingEmail';
create unique index integrator_pending_key on integrator (contact_email, network) where status = 'PendingEmail';

create type key_status as enum ('waiting', 'active', 'rolling', 'revoked');
create table api_key (
  name text primary key,
  integrator text not null references integrator (code) on update cascade on delete restrict,
  label text not null,
  prefix text not null,
  last4 text not null,
  hash bytea not null,
  status key_status not null,
  scopes text[] not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  revoked_reason text,
  replaces text references api_key (name),
  issued_by text,
  supervises text[] not null default '{}',
  counters text[] not null default '{}',
  manages_account boolean not null default false,
  lineage text not null references api_key (name),
  updated_at timestamptz(3) not null default now(),
  -- Keys that stand in a browser are bound to these. No other key has origins; of those that have, each ends.
  origins text[] not null default '{}',
  operations text[] not null default '{}',
  agencies text[] not null default '{}',
  constraint key_times check ((status <> 'rolling' or expires_at is not null) and ((status = 'revoked') = (revoked_at is not null))),
  constraint key_supervises check (not '*' = any(supervises) or cardinality(supervises) = 1),
  constraint key_counters check (not '*' = any(counters) or cardinality(counters) = 1),
  constraint key_browser check (
    case when origins = '{}' then operations = '{}' and agencies = '{}'
    else expires_at is not null and scopes = '{oversight.read}' and cardinality(origins) <= 10 end
  )
);
create unique index api_key_hash_key on api_key (hash);
create index api_key_integrator_created_at_idx on api_key (integrator, created_at desc);
-- Finds whether a page of an origin may ask.
create index api_key_origins_idx on api_key using gin (origins);

create table daily_usage (
  integrator text not null,
  day date not null,
  requests integer not null,
  primary key (integrator, day)
);

-- The log of requests, by the month of its rows. It has no partition for other rows: months are made ahead.
create table audit_log (
  id uuid not null,
  ts timestamptz(3) not null,
  request_id text not null,
  http_status integer not null,
  endpoint text not null,
  event text not null,
  integrator text,
  key text,
  actor text not null,
  -- The subject of a request, and the answer to one that was refused, without personal data.
  object text,
  refusal jsonb,
  primary key (ts, id)
) partition by range (ts);
create index audit_log_integrator_ts_id_idx on audit_log (integrator, ts desc, id desc);
create index audit_log_endpoint_idx on audit_log (endpoint, integrator);
create index audit_log_failed_idx on audit_log (integrator, ts desc, id desc, http_status) where http_status >= 400;

create table idempotency (
  principal text not null,
  key text not null,
  fingerprint text not null,
  request_id text not null,
  subject text,
  http_status integer,
  body bytea,
  created_at timestamptz(3) not null,
  version smallint,
  primary key (principal, key)
) with (fillfactor = 85,
  autovacuum_vacuum_scale_factor = 0.05);
create index idempotency_created_at_idx on idempotency (created_at);

-- Months of the log of requests that were moved to files.
create table audit_archive (
  month date primary key,
  file text not null,
  rows bigint not null,
  bytes bigint not null,
  sha256 text not null,
  archived_at timestamptz(3) not null
);

-- A link is made for every address that asks, so that asking takes the same time whether the address is known or not; one of no
-- integrator opens nothing.
create table magic_link (
  id uuid primary key,
  integrator text references integrator (code) on update cascade on delete cascade,
  hash bytea not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  consumed_at timestamptz(3),
  mailbox bytea,
  return_to text
);
create unique index magic_link_hash_key on magic_link (hash);
create index magic_link_expires_at_idx on magic_link (expires_at);

create table session (
  id uuid primary key,
  integrator text not null references integrator (code) on update cascade on delete cascade,
  hash bytea not null,
  magic_link uuid not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3)
);
create unique index session_hash_key on session (hash);
create unique index session_magic_link_key on session (magic_link);
create index session_integrator_idx on session (integrator);
create index session_expires_at_idx on session (expires_at);

-- How many links an address has asked for, by a keyed hash of the address.
create table sign_in_quota (
  address bytea primary key,
  day date not null,
  sends integer not null check (sends between 1 and 5),
  last_sent_at timestamptz(3) not null
);

-- Links that were mailed to an address: at most five a day, three of them for networks that it is not known to use.
create table mailbox_quota (
  mailbox bytea primary key,
  day date not null,
  sends integer not null check (sends between 1 and 5),
  unknown_sends integer not null check (unknown_sends between 0 and 3),
  last_sent_at timestamptz(3) not null
);

-- Networks from which somebody has proved who they are; who and where as keyed hashes.
create table known_network (
  holder bytea not null,
  network bytea not null,
  seen_at timestamptz(3) not null,
  primary key (holder, network)
);
create index known_network_seen_at_idx on known_network (seen_at);

-- Mail for a job to send. What is secret in it is sealed, and gone once it is sent.
create table mail (
  id uuid primary key,
  kind text not null,
  integrator text references integrator (code) on update cascade on delete cascade,
  sealed bytea,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  sent_at timestamptz(3),
  staff text references staff (email),
  constraint mail_secret_gone check (sent_at is null or sealed is null)
);
create index mail_created_at_idx on mail (created_at);

-- The secret of a sandbox that was given none; a live rail has it from the environment alone.
create table sandbox_secret (
  id integer primary key check (id = 1),
  secret text not null
);

-- Requests counted for all processes together, where that is configured; worth nothing after a crash.
create unlogged table rate_limit (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

create type live_request_status as enum ('Pending', 'Approved', 'Refused');
create table live_request (
  name text primary key,
  integrator text not null references integrator (code),
  status live_request_status not null,
  agencies text[] not null,
  channels text[] not null,
  note text,
  approved_agencies text[] not null default '{}',
  approved_channels text[] not null default '{}',
  limit_per_minute integer check (limit_per_minute > 0),
  reason text,
  decided_by text,
  decided_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint live_request_decided check ((status = 'Pending') = (decided_at is null) and (decided_at is null) = (decided_by is null)),
  constraint live_request_approved check (
    (status = 'Approved') = (cardinality(approved_agencies) > 0) and (status = 'Approved') = (cardinality(approved_channels) > 0)),
  constraint live_request_refused check ((status = 'Refused') = (reason is not null))
);
create unique index live_request_one_pending on live_request (integrator) where status = 'Pending';
create index live_request_integrator_idx on live_request (integrator, created_at desc, name desc);
create index live_request_created_at_idx on live_request (created_at desc, name desc);

-- # Keys of agencies, and the tokens that they are exchanged for.

-- Operators register the public part of an agency's key, and the rail issues short-lived tokens for what is signed with the private one.
create table agency_key (
  name text primary key,
  mda text not null references mda (name),
  label text not null,
  kid text not null,
  public_key jsonb not null,
  thumbprint text not null unique,
  status key_status not null,
  scopes text[] not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  revoked_reason text,
  replaces text references agency_key (name),
  lineage text not null references agency_key (name),
  registered_by text not null,
  constraint agency_key_expires check ((status = 'rolling') <= (expires_at is not null)),
  constraint agency_key_revoked check ((status = 'revoked') = (revoked_at is not null)),
  -- Secret members of a key have no place here.
  constraint agency_key_public check (not public_key ?| array['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']),
  unique (mda, kid)
);
create index agency_key_mda_created_at_idx on agency_key (mda, created_at desc);

-- Each assertion is good for one token: the first insert of it wins.
create table agency_assertion (
  hash bytea primary key,
  expires_at timestamptz(3) not null
);
create index agency_assertion_expires_at_idx on agency_assertion (expires_at);

-- Key pairs that tokens and receipts are signed with, shared by all processes: one is current of each use, and the private half of a
-- key of receipts that signs no more is forgotten.
create type signing_key_use as enum ('token', 'receipt');
create table signing_key (
  kid text primary key,
  public_key jsonb not null,
  private_key bytea,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  use signing_key_use not null default 'token',
  constraint signing_key_can_sign check (private_key is not null or (use = 'receipt' and expires_at is not null))
);
create unique index signing_key_current on signing_key (use) where expires_at is null;

-- How the agencies of a sandbox behave towards an account that tries it out.
create table sandbox_agency (
  integrator text references integrator (code) on update cascade,
  mda text references mda (name) on update cascade,
  behaviour text not null check (behaviour in ('down', 'reject_next')),
  primary key (integrator, mda)
);

-- # Citizens, and who looked at them.

create type citizen_kind as enum ('person', 'organisation');
create table citizen (
  name text primary key,
  nin text not null,
  full_name text not null,
  phone text,
  verified boolean not null,
  search_text text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  language text,
  texts_stopped_at timestamptz(3),
  -- The number of an organisation is its TIN.
  kind citizen_kind not null default 'person',
  constraint citizen_language check (language in ('en', 'fr', 'sw', 'lg'))
);
create unique index citizen_nin_key on citizen (nin);
create index citizen_created_at_name_idx on citizen (created_at desc, name desc);
create index citizen_phone_idx on citizen (phone);
-- Some hosts let nobody make the extension: without it a search reads all citizens, and finds the same.
do $$
begin
  if exists (select from pg_available_extensions where name = 'pg_trgm') and has_database_privilege(current_database(), 'create') then
    begin
      create extension if not exists pg_trgm;
    exception
      when insufficient_privilege or feature_not_supported or undefined_file then raise notice 'pg_trgm: %', sqlerrm;
    end;
  end if;
  if exists (select from pg_opclass where opcname = 'gin_trgm_ops' and pg_opclass_is_visible(oid)) then
    create index citizen_search_text_idx on citizen using gin (search_text gin_trgm_ops);
  end if;
end $$;

create table consent_event (
  name text primary key,
  citizen text not null constraint consent_citizen_exists references citizen (name),
  mda text,
  purpose text not null,
  created_at timestamptz(3) not null
);
create index consent_event_created_at_idx on consent_event (created_at);
create index consent_event_citizen_idx on consent_event (citizen);

-- Who looked at which citizen, by the month of its rows.
create table citizen_access (
  id uuid not null,
  at timestamptz(3) not null,
  citizen text,
  purpose text not null,
  stated_purpose text,
  caller text not null,
  actor text not null,
  integrator text,
  credential text,
  request_id text not null,
  primary key (at, id)
) partition by range (at);
create index citizen_access_citizen_idx on citizen_access (citizen, at desc, id desc);
create index citizen_access_actor_idx on citizen_access (actor, at desc, id desc);
create table citizen_access_rest partition of citizen_access default;

create table citizen_look_ups (
  caller text not null,
  day date not null,
  used integer not null check (used > 0),
  primary key (caller, day)
);

-- # Shifts at counters.

create type shift_status as enum ('Open', 'Closed', 'Cancelled');
create type variance_status as enum ('Pending', 'Approved', 'Rejected', 'Escalated');
create table counter_shift (
  name text primary key,
  mda text not null constraint shift_mda_exists references mda (name),
  clerk text not null,
  counter_label text,
  status shift_status not null,
  currency text not null,
  opening_float numeric(19, 4) not null,
  opening_notes text,
  opened_at timestamptz(3) not null,
  closed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  integrator text references integrator (code),
  cash_collected numeric(19, 4) not null default 0,
  non_cash_collected numeric(19, 4) not null default 0,
  collection_count integer not null default 0,
  cash_counted numeric(19, 4),
  denominations jsonb,
  variance numeric(19, 4),
  variance_reason text,
  variance_status variance_status,
  variance_note text,
  variance_decided_by text,
  variance_decided_at timestamptz(3),
  closing_notes text,
  cancel_reason text,
  revision integer not null default 1,
  expected_cash numeric(19, 4) generated always as ((opening_float + cash_collected)) stored,
  variance_key_issued_by text,
  counts numeric(19, 4)[] not null default '{}',
  constraint shift_float check (opening_float >= 0),
  constraint shift_closed check ((status = 'Open') = (closed_at is null) and (status <> 'Closed' or cash_counted is not null)),
  constraint shift_variance check (status <> 'Closed' or (
    variance = cash_counted - (opening_float + cash_collected) and (variance = 0) = (variance_status is null)
    and (variance = 0 or coalesce(variance_reason, '') <> ''))),
  -- Nobody decides on a shift of their own, nor by a key that the clerk issued.
  constraint shift_four_eyes check (variance_decided_by is null or variance_decided_by <> clerk),
  constraint shift_four_eyes_of_issuer check (variance_key_issued_by is null or variance_key_issued_by <> clerk)
);
create unique index counter_shift_one_open on counter_shift (clerk, mda) where status = 'Open';
create index counter_shift_created_at_idx on counter_shift (created_at desc, name desc);
create index counter_shift_clerk_idx on counter_shift (clerk, created_at desc, name desc);
create index counter_shift_review_idx on counter_shift (variance_status, created_at desc, name desc) where variance_status is not null;
create index counter_shift_mda_created_at_name_idx on counter_shift (mda, created_at desc, name desc);

-- # Assessments.

create type assessment_status as enum ('Draft', 'Assessed', 'Paid', 'Cancelled');
create table assessment (
  name text primary key,
  citizen text not null references citizen (name) on update cascade on delete restrict,
  status assessment_status not null,
  currency text not null,
  total_amount numeric(19, 4) not null,
  line_count integer not null,
  due_on date,
  due_passed_at timestamptz(3),
  replaces text constraint assessment_replaces_exists references assessment (name),
  source_key text constraint assessment_source_key check (char_length(source_key) between 1 and 64),
  shift text constraint assessment_shift_exists references counter_shift (name),
  integrator text constraint assessment_integrator_exists references integrator (code),
  source_mda text constraint assessment_source_mda_exists references mda (name),
  cancel_reason text,
  revision integer not null,
  assessed_at timestamptz(3),
  paid_at timestamptz(3),
  cancelled_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The integrator's name for it, and the integrator's own data.
  reference text,
  metadata jsonb,
  constraint assessment_reference check (char_length(reference) between 1 and 64),
  constraint assessment_metadata check (jsonb_typeof(metadata) = 'object'),
  constraint assessment_total_not_negative check (total_amount >= 0),
  constraint assessment_line_count check (line_count between 1 and 100),
  constraint assessment_times check (
    (status <> 'Assessed' or assessed_at is not null) and (status <> 'Paid' or paid_at is not null)
    and ((status = 'Cancelled') = (cancelled_at is not null)))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.02);
create index assessment_integrator_created_at_name_idx on assessment (integrator, created_at desc, name desc);
create index assessment_citizen_created_at_name_idx on assessment (citizen, created_at desc, name desc);
create index assessment_shift_idx on assessment (shift);
create index assessment_cancelled_at_idx on assessment (cancelled_at) where cancelled_at is not null;
create index assessment_created_at_name_idx on assessment (created_at desc, name desc);
create index assessment_total_amount_name_idx on assessment (total_amount, name);
-- Few assessments are drafts or cancelled: each index has those alone, by times that a payment does not change.
create index assessment_draft_idx on assessment (created_at desc, name desc, integrator) where assessed_at is null and cancelled_at is null;
create index assessment_cancelled_idx on assessment (created_at desc, name desc, integrator) where cancelled_at is not null;
-- So have these the few that have any.
create index assessment_reference_idx on assessment (reference, integrator) where reference is not null;
create index assessment_due_on_idx on assessment (due_on) where due_on is not null;
-- Those whose due day has yet to pass, by which a payment changes nothing.
create index assessment_due_idx on assessment (due_on) where due_on is not null and due_passed_at is null;
create index assessment_replaces_idx on assessment (replaces) where replaces is not null;
create unique index assessment_source_key_idx on assessment (source_mda, source_key) where source_key is not null;
create index assessment_metadata_idx on assessment using gin (metadata jsonb_path_ops) where metadata is not null;

-- What somebody does not have to pay to an agency, as an approval has it.
create type exemption_status as enum ('Approved', 'Revoked');
create table exemption (
  name text primary key,
  citizen text not null constraint exemption_citizen_exists references citizen (name) on update cascade on delete restrict,
  mda text not null constraint exemption_mda_exists references mda (name),
  service text constraint exemption_service_exists references service (name),
  category text,
  percent numeric(7, 4) not null,
  ground text not null,
  document_hash text not null,
  valid_from date not null,
  valid_to date not null,
  uses_left integer,
  status exemption_status not null,
  revoked_at timestamptz(3),
  revoked_reason text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint exemption_percent check (percent > 0 and percent <= 100),
  constraint exemption_document_hash check (document_hash ~ '^[0-9a-f]{64}$'),
  constraint exemption_days check (valid_from <= valid_to),
  constraint exemption_uses_left check (uses_left >= 0),
  constraint exemption_revoked check ((status = 'Revoked') = (revoked_at is not null))
);
create index exemption_citizen_idx on exemption (citizen);
create index exemption_mda_created_at_name_idx on exemption (mda, created_at desc, name desc);
create index exemption_created_at_name_idx on exemption (created_at desc, name desc);

create table assessment_line (
  assessment text not null references assessment (name) on update cascade on delete restrict,
  idx integer not null,
  service text not null constraint line_service_exists references service (name),
  service_name text not null,
  mda text not null constraint line_mda_exists references mda (name),
  quantity integer not null,
  rate numeric(19, 4) not null,
  amount numeric(19, 4) not null,
  -- Of a line that a tariff priced: its category, and what was declared.
  category text,
  base_amount numeric(19, 4),
  stated_amount numeric(19, 4),
  period text,
  -- What an exemption took from the amount.
  waived numeric(19, 4) not null default 0,
  exemption text constraint line_exemption_exists references exemption (name),
  primary key (assessment, idx),
  constraint line_quantity check (quantity between 1 and 10000),
  constraint line_amount check (amount = rate * quantity - waived and amount >= 0 and waived >= 0 and (waived = 0 or exemption is not null)),
  constraint line_declared check (base_amount >= 0 and stated_amount >= 0 and num_nonnulls(base_amount, stated_amount) <= 1)
);
create index assessment_line_mda_assessment_idx on assessment_line (mda, assessment);

-- # Payments, their proof, and what is said of them.

create type intent_status as enum ('Pending', 'Sent', 'Confirmed', 'Failed', 'Expired');
create type channel as enum ('mtn_momo', 'airtel_money', 'card', 'cash', 'bank', 'agent', 'ussd');
create table payment_intent (
  name text primary key,
  assessment text not null references assessment (name) on update cascade on delete restrict,
  integrator text,
  channel channel not null,
  status intent_status not null,
  amount numeric(19, 4) not null,
  currency text not null,
  aggregator text not null,
  aggregator_reference text,
  payer_msisdn text,
  failure_reason text,
  revision integer not null,
  claimed_by integer,
  claimed_at timestamptz(3),
  initiated_at timestamptz(3),
  confirmed_at timestamptz(3),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  enquire_at timestamptz(3),
  enquiries integer not null default 0,
  split_override boolean not null default false,
  tendered numeric(19, 4),
  -- The integrator's name for it, and the integrator's own data.
  reference text,
  metadata jsonb,
  -- Where the payer's browser goes afterwards, what they have to do next, and to whom the aggregator mails its receipt.
  return_url text,
  next_action jsonb,
  payer_email bytea,
  -- Of those that a link began, the link. They are found by its assessment.
  link text,
  -- Until when its aggregator is asked, where somebody says that it was paid, and the aggregator does not yet.
  enquire_until timestamptz(3),
  constraint intent_amount_positive check (amount > 0),
  constraint intent_times check ((status <> 'Sent' or initiated_at is not null) and ((status = 'Confirmed') = (confirmed_at is not null))),
  constraint intent_reference check (status not in ('Sent', 'Confirmed') or aggregator_reference is not null),
  constraint intent_tendered check (tendered is null or (channel = 'cash' and tendered >= amount)),
  constraint payment_intent_reference check (char_length(reference) between 1 and 64),
  constraint payment_intent_metadata check (jsonb_typeof(metadata) = 'object')
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.02);
create index payment_intent_assessment_idx on payment_intent (assessment);
create index payment_intent_overdue on payment_intent (expires_at) where status in ('Pending', 'Sent');
create index payment_intent_enquire_at_idx on payment_intent (channel, enquire_at) where enquire_at is not null;
create index payment_intent_created_at_idx on payment_intent (created_at);
create index payment_intent_integrator_created_at_name_idx on payment_intent (integrator, created_at desc, name desc);
create index payment_intent_amount_name_idx on payment_intent (amount, name);
create index payment_intent_expires_at_name_idx on payment_intent (expires_at, name);
create index payment_intent_unpaid_idx on payment_intent (status, created_at desc, name desc, integrator)
  where status in ('Failed', 'Expired');
-- A collection is found by its reference alone, or with its aggregator.
create unique index payment_intent_aggregator_reference_aggregator_key on payment_intent (aggregator_reference, aggregator);
create index payment_intent_reference_idx on payment_intent (reference, integrator) where reference is not null;
create index payment_intent_metadata_idx on payment_intent using gin (metadata jsonb_path_ops) where metadata is not null;
-- Links of an assessment begin one payment of a channel at a time.
create unique index payment_intent_begun_key on payment_intent (assessment, channel) where link is not null and status in ('Pending', 'Sent');

-- Numbers to pay an assessment by. A number stands for one assessment for good, and an assessment has one that is Issued at most.
create type payment_reference_status as enum ('Issued', 'Paid', 'Withdrawn');
create table payment_reference (
  number text primary key check (number ~ '^\d{13}$'),
  assessment text not null references assessment (name),
  integrator text references integrator (code) on update cascade,
  amount numeric(19, 4) not null check (amount > 0),
  currency text not null,
  status payment_reference_status not null,
  expires_at timestamptz(3) not null,
  paid_by text unique references payment_intent (name),
  revision integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((status = 'Paid') = (paid_by is not null))
);
create unique index payment_reference_issued_key on payment_reference (assessment) where status = 'Issued';
create index payment_reference_assessment_idx on payment_reference (assessment);

-- Money that arrived and paid nothing.
create table money_received (
  name text primary key,
  provider text not null,
  txn_id text not null,
  kind text not null check (kind in ('over', 'short', 'late', 'withdrawn', 'already_paid', 'unknown_reference', 'wrong_currency',
    'unapplied', 'event_reused', 'bank_only')),
  amount numeric(19, 4) not null check (amount > 0),
  currency text not null,
  channel channel not null,
  reference text,
  intent text references payment_intent (name),
  assessment text references assessment (name),
  received_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  unique (provider, txn_id)
);
create index money_received_created_at_idx on money_received (created_at desc, name desc);
create index money_received_assessment_idx on money_received (assessment);

-- Transactions that were reported without a signature wait here until their payment point, or its statement, says the same: with up to
-- three moments of each, who sent it, and whether the payment point does not have it.
create table payment_claim (
  provider text not null,
  txn_id text not null,
  paid_at timestamptz(3) not null,
  asks integer not null default 0,
  ask_at timestamptz(3),
  received_at timestamptz(3) not null,
  other_moments timestamptz(3)[] not null default '{}',
  sender bytea,
  denied boolean not null default false,
  primary key (provider, txn_id)
);
create index payment_claim_ask_at_idx on payment_claim (provider, ask_at) where ask_at is not null;

-- Links to a page at which an assessment can be paid. Of a link's token the hash alone is kept.
create type payment_link_status as enum ('Open', 'Withdrawn');
create table payment_link (
  name text primary key,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  assessment text not null references assessment (name),
  integrator text references integrator (code) on update cascade,
  channels text[] not null,
  return_url text,
  status payment_link_status not null,
  expires_at timestamptz(3) not null,
  revision integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index payment_link_assessment_idx on payment_link (assessment);
create index payment_link_integrator_idx on payment_link (integrator, created_at desc, name desc);

create table split_rule (
  intent text not null references payment_intent (name) on update cascade on delete restrict,
  mda text not null constraint split_mda_exists references mda (name),
  amount numeric(19, 4) not null,
  primary key (intent, mda),
  constraint split_amount_positive check (amount > 0)
);
create index split_rule_mda_intent_idx on split_rule (mda, intent);

-- What goes back to payers: `check_refund` holds that it is never more than was paid, `check_money` than arrived.
create type refund_status as enum ('Requested', 'Approved', 'Declined', 'Sent', 'Done', 'Failed');
create type refund_method as enum ('provider', 'cash', 'transfer', 'chargeback');
create table refund (
  name text primary key,
  intent text references payment_intent (name),
  assessment text references assessment (name),
  money text references money_received (name),
  payee_hint text,
  integrator text references integrator (code) on update cascade,
  amount numeric(19, 4) not null check (amount > 0),
  currency text not null,
  reason_code text not null,
  note text,
  method refund_method not null,
  booked boolean not null default false,
  status refund_status not null,
  provider_reference text,
  paid_on date,
  document_hash text,
  shift text references counter_shift (name),
  failure_reason text,
  reference text,
  asked_at timestamptz(3),
  enquire_at timestamptz(3),
  enquiries integer not null default 0,
  requested_by text not null,
  revision integer not null,
  approved_at timestamptz(3),
  done_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check (num_nonnulls(intent, money) = 1),
  check (intent is null or assessment is not null),
  check (money is null or (method = 'transfer' and not booked)),
  check ((status = 'Done') = (done_at is not null)),
  check (status <> 'Done' or provider_reference is not null),
  check ((method = 'cash' and status = 'Done') = (shift is not null)),
  check (asked_at is null or reference is not null),
  check (enquire_at is null or (method = 'provider' and status in ('Approved', 'Sent')))
);
create index refund_shift_idx on refund (shift) where shift is not null;
create index refund_enquire_at_idx on refund (enquire_at) where enquire_at is not null;
create index refund_intent_idx on refund (intent);
create index refund_assessment_idx on refund (assessment);
create index refund_money_idx on refund (money);
create index refund_created_at_name_idx on refund (created_at desc, name desc);
create index refund_integrator_created_at_name_idx on refund (integrator, created_at desc, name desc);

create table refund_share (
  refund text not null references refund (name),
  mda text not null references mda (name),
  idx integer not null,
  amount numeric(19, 4) not null check (amount > 0),
  primary key (refund, mda, idx)
);

-- What became of money that paid nothing.
create type money_outcome_kind as enum ('allocated', 'returned', 'transferred', 'written_off');
create table money_outcome (
  id bigint generated by default as identity primary key,
  money text not null references money_received (name),
  kind money_outcome_kind not null,
  amount numeric(19, 4) not null check (amount > 0),
  intent text references payment_intent (name),
  refund text unique references refund (name),
  reason text,
  decided_by text not null,
  at timestamptz(3) not null,
  check ((kind = 'allocated') = (intent is not null)),
  check ((kind = 'returned') = (refund is not null)),
  check ((kind in ('transferred', 'written_off')) = (reason is not null))
);
create index money_outcome_money_idx on money_outcome (money);
create index money_outcome_intent_idx on money_outcome (intent);

create type payment_event_kind as enum ('payment', 'reversal');
create type payment_proof as enum ('callback', 'enquiry', 'cash', 'approval', 'simulated');
create table payment_event (
  name text primary key,
  intent text not null references payment_intent (name) on update cascade on delete restrict,
  assessment text not null,
  integrator text,
  mda text not null,
  amount numeric(19, 4) not null,
  currency text not null,
  channel channel not null,
  kind payment_event_kind not null,
  aggregator_reference text not null,
  txn_id text,
  occurred_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  -- By which the payment was confirmed. Seals do not cover it.
  proof payment_proof,
  refund text references refund (name),
  constraint event_sign check ((kind = 'payment' and amount > 0) or (kind = 'reversal' and amount < 0)),
  constraint event_split_exists foreign key (intent, mda) references split_rule (intent, mda)
);
create index payment_event_integrator_created_at_name_idx on payment_event (integrator, created_at desc, name desc);
create index payment_event_mda_created_at_name_idx on payment_event (mda, created_at desc, name desc);
create index payment_event_created_at_name_idx on payment_event (created_at desc, name desc);
create index payment_event_assessment_idx on payment_event (assessment);
create unique index payment_event_intent_mda_kind_refund_key on payment_event (intent, mda, kind, refund) nulls not distinct;
-- Events are appended in the order of their times: a few bytes for each megabyte find those of a span.
create index payment_event_occurred_at_idx on payment_event using brin (occurred_at) with (autosummarize = on);
create index payment_event_reversal_idx on payment_event (occurred_at) where kind = 'reversal';
create index payment_event_txn_id_idx on payment_event (txn_id);

create table event_seal (
  mda text not null,
  sequence bigint not null,
  event text not null references payment_event (name) on update cascade on delete restrict,
  hash text not null,
  sealed_at timestamptz(3) not null,
  version smallint not null,
  commitment text,
  primary key (mda, sequence),
  constraint seal_commitment check ((version = 1 and commitment is null) or (version = 2 and commitment is not null and commitment ~ '^[0-9a-f]{64}$'))
);
create unique index event_seal_event_key on event_seal (event);

-- What makes the commitment of an event impossible to guess. It is kept for as long as the seal: without it nobody could show what was
-- committed to.
create table seal_salt (
  event text primary key references payment_event (name),
  salt text not null check (salt ~ '^[0-9a-f]{64}$')
);

-- Signed receipts, one a confirmed intent. One that says something wrong is replaced by another one.
create type receipt_status as enum ('Issued', 'Void');
create table receipt (
  name text primary key,
  intent text not null references payment_intent (name) on update cascade on delete restrict,
  assessment text not null references assessment (name) on update cascade on delete restrict,
  integrator text,
  status receipt_status not null,
  payload text not null,
  signature text not null,
  kid text not null,
  code text not null,
  copies integer not null default 0,
  created_at timestamptz(3) not null,
  voided_at timestamptz(3),
  updated_at timestamptz(3) not null,
  replaced_by text references receipt (name) on update cascade on delete restrict,
  constraint receipt_voided check ((status = 'Void') = (voided_at is not null)),
  constraint receipt_replaced check (replaced_by is null or status = 'Void')
);
create unique index receipt_intent_key on receipt (intent) where replaced_by is null;
create index receipt_assessment_idx on receipt (assessment, created_at desc, name desc);

-- Pages translate what a trace says by its form, and write what fills it in as it is written in their language:
-- `["{0} → {1}", "Sent", "Confirmed"]`. Null where nothing fills it in.
create table trace_row (
  id bigserial,
  assessment text not null,
  intent text,
  at timestamptz(3) not null,
  kind text not null,
  actor text not null,
  summary jsonb not null,
  doc text,
  detail jsonb not null,
  primary key (assessment, at, id)
) partition by range (at);
create table trace_row_rest partition of trace_row default;

create type anomaly_status as enum ('Open', 'Resolved');
create table anomaly (
  name text primary key,
  kind text not null,
  mda text,
  severity text not null,
  status anomaly_status not null,
  subject text not null,
  evidence jsonb not null,
  raised_at timestamptz(3) not null,
  resolved_at timestamptz(3),
  resolved_by text,
  resolution text,
  mdas text[] not null default '{}',
  -- Who it is assigned to, the day of UTC until which it is snoozed, and when either changed or somebody commented.
  assignee text,
  snoozed_until date,
  updated_at timestamptz(3),
  constraint anomaly_resolved check ((status = 'Resolved') = (resolved_at is not null))
);
create unique index anomaly_kind_subject_key on anomaly (kind, subject);
create index anomaly_raised_at_idx on anomaly (raised_at desc, name desc);
create index anomaly_mdas_idx on anomaly using gin (mdas);
create index anomaly_open_idx on anomaly (raised_at) where status = 'Open';
create index anomaly_cash_variance_idx on anomaly (raised_at) where kind = 'cash_variance';

-- Zones whose days are searched for anomalies, with the last day that was.
create table searched_day (
  time_zone text primary key,
  day date not null
);

-- Which anomalies operators are alerted to, what waits to be sent by each rule, when each rule sent a kind last, and the day of the last
-- digest of staff of agencies. One rule is there from the start: whatever is high, to all admins. Operators change it or switch it off as
-- any other; its number is one that no new rule gets.
create table alert_rule (
  name text primary key,
  staff text references staff (email) on update cascade on delete cascade,
  role text,
  staff_of text,
  transport text not null check (transport in ('mail', 'webhook')),
  kinds text[] not null default '{}',
  severity text not null check (severity in ('low', 'medium', 'high')),
  mdas text[] not null default '{}',
  quiet_from text check (quiet_from ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  quiet_to text check (quiet_to ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  enabled boolean not null,
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint alert_rule_recipient check (num_nonnulls(staff, role, staff_of) = case transport when 'mail' then 1 else 0 end),
  constraint alert_rule_quiet check (num_nonnulls(quiet_from, quiet_to) = 0 or quiet_from <> quiet_to)
);
create index alert_rule_created_at_idx on alert_rule (created_at desc, name desc);
insert into alert_rule (name, role, transport, severity, enabled, created_by, created_at, updated_at)
values ('ALR-2026-000000', 'admin', 'mail', 'high', true, 'system', now(), now());

create table alert_waiting (
  rule text not null references alert_rule (name) on update cascade on delete cascade,
  anomaly text not null,
  kind text not null,
  primary key (rule, anomaly)
);

create table alert_sent (
  rule text not null references alert_rule (name) on update cascade on delete cascade,
  kind text not null,
  sent_at timestamptz(3) not null,
  primary key (rule, kind)
);

create table anomaly_digest (
  staff text primary key references staff (email) on update cascade on delete cascade,
  sent_on date not null
);

create table inbound_callback (
  provider text not null,
  event_id text not null,
  body_hash bytea not null,
  intent text,
  decision text not null,
  received_at timestamptz(3) not null,
  object text,
  -- A stored decision answers the same thing alone.
  about jsonb not null default '{}',
  primary key (provider, event_id)
);
create unique index inbound_callback_provider_body_hash_key on inbound_callback (provider, body_hash);
create index inbound_callback_received_at_idx on inbound_callback (received_at desc, provider desc, event_id desc);
create index inbound_callback_intent_idx on inbound_callback (intent) where intent is not null;

create table outbox (
  id uuid primary key,
  type text not null,
  object text not null,
  sequence integer not null,
  integrator text,
  payload jsonb not null,
  created_at timestamptz(3) not null,
  relayed_at timestamptz(3),
  -- The agency that a message is for, whichever account made what it is about.
  agency text
);
create unique index outbox_object_sequence_key on outbox (object, sequence);

create table outbox_queue (
  created_at timestamptz(3) not null,
  message uuid not null,
  primary key (created_at, message)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);

-- How channels fared on days that are over, so that the status page does not read the payments of three months.
create table channel_day (
  day date not null,
  channel channel not null,
  asked integer not null check (asked > 0),
  answered integer not null,
  primary key (day, channel),
  check (answered between 0 and asked)
);

-- # Settlement statements compared with what is recorded.

create table reconciliation_run (
  name text primary key,
  provider text not null,
  from_at timestamptz(3) not null,
  to_at timestamptz(3) not null,
  rerun_of text references reconciliation_run (name),
  source_hash text not null,
  rows jsonb not null,
  ignored integer not null,
  matched integer not null,
  missing_here integer not null,
  missing_there integer not null,
  amount_differs integer not null,
  duplicate integer not null,
  created_by text not null,
  created_at timestamptz(3) not null,
  -- A statement of more rows than are taken at once comes in parts: which of how many one is.
  part integer,
  parts integer,
  -- How many rows were ignored for each status that is not that of a payment.
  ignored_statuses jsonb not null default '{}'
);
create index reconciliation_run_created_at_idx on reconciliation_run (created_at desc, name desc);
create index reconciliation_run_source_hash_idx on reconciliation_run (source_hash);

create table reconciliation_item (
  name text primary key,
  run text not null references reconciliation_run (name),
  idx integer not null,
  outcome text not null check (outcome in ('matched', 'missing_here', 'missing_there', 'amount_differs', 'duplicate', 'fee', 'payout', 'other')),
  line integer,
  reference text not null,
  intent text,
  intent_status text,
  statement_amount numeric(19, 4),
  statement_currency text,
  recorded_amount numeric(19, 4),
  recorded_currency text,
  txn_id text,
  refund text
);
create unique index reconciliation_item_run_idx_key on reconciliation_item (run, idx);
-- Payments that an earlier statement matched are not missing in a later one.
create index reconciliation_item_matched on reconciliation_item (reference) where outcome = 'matched';
-- What is no payment is looked up by its statement.
create index reconciliation_item_other on reconciliation_item (run) where outcome in ('fee', 'payout', 'other');

-- # Statements of agencies' banks, and the days of agencies as they were closed.

create table bank_statement (
  name text primary key,
  account text not null,
  currency text not null,
  format text not null check (format in ('camt053', 'mt940', 'csv')),
  source_hash text not null check (source_hash ~ '^[0-9a-f]{64}$'),
  from_on date,
  to_on date,
  opening numeric(19, 4),
  closing numeric(19, 4),
  lines integer not null,
  created_by text not null,
  created_at timestamptz(3) not null,
  constraint bank_statement_days check ((from_on is null) = (to_on is null) and from_on <= to_on)
);
create unique index bank_statement_account_currency_source_hash_key on bank_statement (account, currency, source_hash);
create index bank_statement_account_currency_to_on_idx on bank_statement (account, currency, to_on);
create index bank_statement_created_at_name_idx on bank_statement (created_at desc, name desc);

create table bank_line (
  name text primary key,
  statement text not null constraint bank_line_statement_exists references bank_statement (name),
  idx integer not null,
  account text not null,
  booked_on date not null,
  value_on date not null,
  amount numeric(19, 4) not null check (amount <> 0),
  currency text not null,
  reference text,
  text text not null,
  kind text not null default 'unknown' check (kind in ('payout', 'fee', 'refund', 'deposit', 'other', 'unknown')),
  provider text,
  from_on date,
  to_on date,
  how text check (how in ('reference', 'sum', 'deposit', 'person')),
  note text,
  decided_by text,
  decided_at timestamptz(3),
  updated_at timestamptz(3) not null,
  constraint bank_line_how check ((kind = 'unknown') = (how is null)),
  constraint bank_line_decided check ((decided_by is null) = (decided_at is null) and (how is distinct from 'person' or decided_by is not null)),
  constraint bank_line_days check ((from_on is null) = (to_on is null) and to_on - from_on between 0 and 30),
  constraint bank_line_payout check (kind <> 'payout' or (provider is not null and from_on is not null))
);
create unique index bank_line_statement_idx_key on bank_line (statement, idx);
create index bank_line_account_currency_value_on_idx on bank_line (account, currency, value_on);
-- A job looks at what nobody has explained.
create index bank_line_unknown on bank_line (value_on) where kind = 'unknown';

create table agency_day (
  name text primary key,
  mda text not null constraint agency_day_mda_exists references mda (name),
  day date not null,
  previous text constraint agency_day_previous_exists references agency_day (name),
  payload text not null,
  signature text not null,
  kid text not null,
  head text,
  note text,
  confirmed_by text,
  confirmed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint agency_day_name check (name = mda || '.' || day::text),
  -- Days follow each other without a gap.
  constraint agency_day_previous check (previous = mda || '.' || (day - 1)::text),
  constraint agency_day_confirmed check ((confirmed_by is null) = (confirmed_at is null))
);
create unique index agency_day_mda_day_key on agency_day (mda, day);
create unique index agency_day_first on agency_day (mda) where previous is null;
create index agency_day_created_at_name_idx on agency_day (created_at desc, name desc);

-- # Fiscal documents.

create table fiscal_document (
  name text primary key,
  issuer text not null,
  number text not null,
  assessment text not null references assessment (name),
  payment_event text references payment_event (name),
  mda text references mda (name),
  integrator text references integrator (code),
  url text,
  issued_at timestamptz(3),
  created_at timestamptz(3) not null
);
create unique index fiscal_document_issuer_number_key on fiscal_document (issuer, number);
create index fiscal_document_assessment_idx on fiscal_document (assessment, created_at desc, name desc);
create index fiscal_document_payment_event_idx on fiscal_document (payment_event, created_at desc, name desc)
  where payment_event is not null;

-- # What agencies are notified of.

create table propagation (
  name text primary key,
  assessment text not null references assessment (name),
  mda text not null references mda (name),
  status text not null check (status in ('pending', 'done', 'dead', 'rejected')),
  attempts integer not null default 0,
  next_attempt_at timestamptz(3),
  claimed_until timestamptz(3),
  last_error text,
  receipt text,
  created_at timestamptz(3) not null,
  done_at timestamptz(3),
  updated_at timestamptz(3) not null default now(),
  kind text not null default 'payment' check (kind in ('payment', 'reversal')),
  maybe_told boolean not null default false,
  rejections integer not null default 0,
  refund text references refund (name),
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((status = 'done') = (done_at is not null))
) with (autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000);
create index propagation_due_idx on propagation (next_attempt_at) where status = 'pending';
create index propagation_created_at_idx on propagation (created_at desc, name desc);
create index propagation_dead_idx on propagation (created_at desc, name desc) where status = 'dead';
create index propagation_mda_created_at_name_idx on propagation (mda, created_at desc, name desc);
create unique index propagation_assessment_mda_kind_refund_key on propagation (assessment, mda, kind, refund) nulls not distinct;
create index propagation_rejected_idx on propagation (created_at desc, name desc) where status = 'rejected';
create index propagation_receipt_idx on propagation (receipt);

-- # What payers are told.

-- By text and letter, in their language. An address is forgotten once it was used.
create type payer_message_kind as enum ('reference_issued', 'paid', 'reversed', 'unmatched', 'refunded', 'demand');
create type payer_message_transport as enum ('sms', 'mail');
create type payer_message_status as enum ('Queued', 'Sent', 'Delivered', 'Failed', 'Suppressed');
create table payer_message (
  name text primary key,
  citizen text not null references citizen (name),
  assessment text not null references assessment (name),
  intent text references payment_intent (name),
  subject text not null,
  kind payer_message_kind not null,
  transport payer_message_transport not null,
  language text not null,
  status payer_message_status not null,
  address bytea,
  attempts integer not null default 0,
  due_at timestamptz(3) not null,
  claimed_at timestamptz(3),
  gateway text,
  gateway_id text,
  cost numeric(19, 4),
  currency text,
  failure text,
  created_at timestamptz(3) not null,
  sent_at timestamptz(3),
  delivered_at timestamptz(3),
  updated_at timestamptz(3) not null,
  constraint payer_message_forgets_its_address check (address is null or status = 'Queued')
);
create index payer_message_created_at_idx on payer_message (created_at desc, name desc);
create index payer_message_citizen_idx on payer_message (citizen, created_at desc, name desc);
create index payer_message_assessment_idx on payer_message (assessment);
create index payer_message_due_idx on payer_message (due_at) where status = 'Queued';
create unique index payer_message_gateway_key on payer_message (gateway, gateway_id);

-- Letters about payments are stopped by the address that they go to.
create table stopped_address (
  hash bytea primary key,
  stopped_at timestamptz(3) not null
);

-- # What integrators, agencies and operators are notified of.

-- Where messages are sent: up to ten endpoints of an account, of an agency, or of operators under an account of theirs.
create table webhook_endpoint (
  name text primary key,
  integrator text references integrator (code) on update cascade,
  agency text references mda (name) on update cascade,
  -- Its place among those of its owner. Place 0 is the one that an account has in its profile.
  place smallint check (place between case when agency is null then 0 else 1 end and case when agency is null then 9 else 10 end),
  is_default boolean not null generated always as (place is not distinct from 0) stored,
  label text not null,
  url text,
  types text[] not null default '{}',
  agencies text[] not null default '{}',
  secret bytea,
  secret_at timestamptz(3),
  previous_secret bytea,
  previous_until timestamptz(3),
  failing_since timestamptz(3),
  disabled_at timestamptz(3),
  disabled_reason text,
  prompt boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check (num_nonnulls(integrator, agency) = 1),
  -- An account learns the secret of its default endpoint by asking for one; of any other, when it is made.
  check (is_default or secret is not null)
);
create unique index webhook_endpoint_integrator_place_key on webhook_endpoint (integrator, place);
create unique index webhook_endpoint_agency_place_key on webhook_endpoint (agency, place);

create table webhook_delivery (
  name text primary key,
  message uuid not null references outbox (id),
  integrator text references integrator (code) on update cascade,
  type text not null,
  object text not null,
  sequence integer not null,
  status text not null check (status in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0,
  last_http_status integer,
  created_at timestamptz(3) not null,
  delivered_at timestamptz(3),
  updated_at timestamptz(3) not null default now(),
  endpoint text references webhook_endpoint (name),
  agency text references mda (name) on update cascade,
  constraint webhook_delivery_owner check (num_nonnulls(integrator, agency) = 1),
  check ((status = 'delivered') = (delivered_at is not null))
);
create unique index webhook_delivery_message_endpoint_key on webhook_delivery (message, endpoint);
create index webhook_delivery_created_at_idx on webhook_delivery (created_at desc, name desc);
create index webhook_delivery_integrator_idx on webhook_delivery (integrator, created_at desc, name desc);
create index webhook_delivery_dead_idx on webhook_delivery (created_at desc, name desc, integrator) where status = 'dead';
create index webhook_delivery_object_idx on webhook_delivery (object);

-- Deliveries that wait: claims and later tries change this narrow table, and the delivery once its result is known.
create table webhook_queue (
  delivery text not null,
  endpoint text not null,
  object text not null,
  sequence integer not null,
  next_attempt_at timestamptz(3) not null,
  claimed_until timestamptz(3),
  primary key (endpoint, object, sequence)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
create index webhook_queue_endpoint_due_idx on webhook_queue (endpoint, next_attempt_at);
create index webhook_queue_endpoint_claimed_idx on webhook_queue (endpoint, claimed_until) where claimed_until is not null;

create table webhook_attempt (
  id bigserial,
  delivery text not null references webhook_delivery (name),
  at timestamptz(3) not null,
  endpoint text not null,
  http_status integer,
  duration_ms integer not null,
  error text,
  answer text
) partition by range (at);
create index webhook_attempt_delivery_idx on webhook_attempt (delivery, id);
create table webhook_attempt_rest partition of webhook_attempt (primary key (id)) default;

-- Messages in the order in which they became known, for those who fetch them.
create table event_log (
  position bigint generated always as identity,
  message uuid primary key references outbox (id),
  integrator text,
  agency text,
  type text not null,
  created_at timestamptz(3) not null
);
create index event_log_integrator_idx on event_log (integrator, position);
create index event_log_agency_idx on event_log (agency, position) where agency is not null;
create index event_log_created_at_idx on event_log using brin (created_at);

-- Who fetched messages, and when last.
create table event_reader (
  integrator text unique references integrator (code) on update cascade,
  agency text unique references mda (name) on update cascade,
  read_at timestamptz(3) not null,
  check (num_nonnulls(integrator, agency) = 1)
);

-- # What takes two people.

create type approval_status as enum ('Pending', 'Approved', 'Refused', 'Expired');
create table approval (
  name text primary key,
  subject text not null,
  status approval_status not null default 'Pending',
  asked_by text not null,
  asked_reason text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  decided_by text,
  decided_at timestamptz(3),
  decided_reason text,
  kind text not null,
  proposal jsonb not null,
  about text[] not null default '{}',
  mdas text[] not null default '{}',
  asked_key_issued_by text,
  expires_at timestamptz(3) not null,
  constraint admin_grant_check check ((status = 'Pending') = (decided_at is null)),
  constraint admin_grant_check1 check (status <> 'Approved' or decided_by <> asked_by)
);
create index approval_created_at_name_idx on approval (created_at desc, name desc);
create index approval_decided_at_idx on approval (decided_at);
create unique index approval_pending_key on approval (kind, subject) where status = 'Pending';

-- # Oversight: what auditors and statisticians read, by a role that sees views of the schema `oversight` alone.

-- The feed of facts: each statement that changes a document leaves its kind and docname here, and each process that keeps a columnar
-- copy of facts reads what it has not seen. Writers wait for nobody.
create table fact_change (
  xid xid8 not null default pg_current_xact_id(),
  kind text not null,
  document text not null,
  at timestamptz(3) not null default now()
) with (autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 20000);
create index fact_change_xid_idx on fact_change (xid);

create table fact_feed (
  id smallint default 1 primary key check (id = 1),
  trimmed xid8 not null default '0'::xid8,
  epoch integer not null default 1
);
insert into fact_feed default values;

-- Figures about people move in steps: what becomes of one person is not disclosed until enough others have had the same happen to them.
-- Each change of a document that such figures count waits here until a step takes it with others (src/oversight/common/steps.ts). Facts
-- have the status that a document had before the first of its changes that wait.
create table people_waiting (
  id bigint generated always as identity primary key,
  kind text not null,
  document text not null,
  intent text,
  was text,
  becomes text not null
) with (autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 20000);
create index people_waiting_document_idx on people_waiting (document);

-- The number of the last step. Before the first question there is none: all that has happened until then is disclosed at once.
create table people_step (
  id smallint default 1 primary key check (id = 1),
  number integer not null default 1
);

-- What happened and has no position in the stream yet.
create table oversight_tail (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('payment_event', 'anomaly')),
  subject text not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);

-- What no chain of seals holds yet.
create table unsealed_event (
  mda text not null,
  id bigint generated always as identity,
  event text not null,
  primary key (mda, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);

-- Positions are given by one writer at a time and become visible in their order, so that who reads on from a position misses nothing.
create table oversight_stream (
  position bigint primary key,
  kind text not null,
  subject text not null,
  at timestamptz(3) not null,
  -- Of a payment event, what leads to nobody: lists are filtered by it without a look at the event.
  mda text,
  channel channel,
  currency text,
  event_kind payment_event_kind,
  amount numeric(19, 4),
  occurred_at timestamptz(3)
);
create unique index oversight_stream_subject_key on oversight_stream (kind, subject);
create index oversight_stream_mda_idx on oversight_stream (mda, position) where kind = 'payment_event';
create index oversight_stream_occurred_at_idx on oversight_stream using brin (occurred_at) with (autosummarize = on);
create index oversight_stream_anomaly_idx on oversight_stream (position) where kind = 'anomaly';
create index oversight_stream_anomaly_subject_idx on oversight_stream (subject) include (position) where kind = 'anomaly';

create table revenue_target (
  mda text not null references mda (name),
  fiscal_year text not null check (fiscal_year ~ '^\d{4}(/\d{2})?$'),
  currency text not null,
  amount numeric(19, 4) not null check (amount > 0),
  set_at timestamptz(3) not null,
  set_by text not null,
  primary key (mda, fiscal_year, currency)
);

-- Views number people, and name what may not be seen by its own name, with this salt. It is never shown.
create table oversight_salt (
  id smallint default 1 primary key check (id = 1),
  salt text not null
);
insert into oversight_salt (salt) values (replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));

-- Each day of a log is sealed, in a chain for each log: a row that is changed, removed or added later shows, and the last seal, kept
-- outside the rail, proves all before it.
create table log_seal (
  log text not null,
  day date not null,
  rows bigint not null,
  hash text not null,
  sealed_at timestamptz(3) not null,
  primary key (log, day),
  constraint log_seal_log check (log in ('approval', 'citizen_access', 'money_received', 'operator_audit')),
  constraint log_seal_rows check (rows >= 0),
  constraint log_seal_hash check (hash ~ '^[0-9a-f]{64}$')
);

-- # The database itself.

create table docname_counter (
  series text primary key,
  next bigint not null
);

create table database_mode (
  id integer primary key check (id = 1),
  mode text not null check (mode in ('sandbox', 'live')),
  since timestamptz(3) not null
);
