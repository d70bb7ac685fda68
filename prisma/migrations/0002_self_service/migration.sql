-- Integrators serve themselves: sign-up, sessions, keys, and a log that is kept by the month.

-- What an integrator says of itself, and what its sign-up needs.
alter table integrator
  add column contact_name text,
  add column contact_phone text,
  add column webhook_endpoint text,
  add column anticipated_volume_monthly integer,
  add column scopes text[] not null default '{citizens.read,assessments.write,payments.initiate}',
  add column last_login_at timestamptz(3),
  add column tos_version text,
  add column tos_voided_at timestamptz(3),
  add column otp_hash bytea,
  add column otp_expires_at timestamptz(3),
  add column otp_sent_at timestamptz(3),
  add column otp_sends_day date,
  add column otp_sends_today integer not null default 0,
  add column otp_attempts_day date,
  add column otp_attempts_today integer not null default 0;
alter table integrator alter column scopes drop default;
-- Operators vouched for the addresses of those that they made.
update integrator set email_verified = true;

alter table integrator add constraint integrator_otp_sends check (otp_sends_today between 0 and 5);
alter table integrator add constraint integrator_otp_attempts check (otp_attempts_today between 0 and 5);
alter table integrator add constraint integrator_otp_pending check (otp_hash is null or (status = 'PendingEmail' and otp_expires_at is not null));
alter table integrator add constraint integrator_active_verified check (status = 'PendingEmail' or email_verified);
alter table integrator add constraint integrator_volume check (anticipated_volume_monthly >= 0);
create index integrator_pending_idx on integrator (created_at) where status = 'PendingEmail';

-- A key that is rolling knows when it ends, and a revoked one since when and why.
update api_key set expires_at = coalesce(expires_at, now()) where status = 'rolling';
update api_key set revoked_at = coalesce(revoked_at, now()), revoked_reason = coalesce(revoked_reason, 'Not recorded') where status = 'revoked';
alter table api_key add column replaces text references api_key (name);
alter table api_key add constraint key_times check ((status <> 'rolling' or expires_at is not null) and ((status = 'revoked') = (revoked_at is not null)));

-- Revoking is irreversible, and a key never becomes anybody else's or wider.
create function refuse_reviving() returns trigger language plpgsql as $$
begin
  if old.status = 'revoked' and new.status <> 'revoked' then
    raise exception '% is revoked for good', old.name using errcode = 'restrict_violation';
  end if;
  if old.status = 'rolling' and new.status = 'active' then
    raise exception '% is being replaced', old.name using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger key_lifecycle before update of status on api_key for each row when (old.status is distinct from new.status) execute function refuse_reviving();

-- Magic links and sessions; of their secrets only a SHA-256 is kept. A link is made for every address that asks, so that asking
-- takes the same time whether the address is known or not; one of no integrator opens nothing.
create table magic_link (
  id uuid primary key,
  integrator text references integrator (code) on update cascade on delete cascade,
  hash bytea not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  consumed_at timestamptz(3)
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

-- How many links an address has asked for; the address as a keyed hash, since most of those that ask need not be known to us.
create table sign_in_quota (
  address bytea primary key,
  day date not null,
  sends integer not null check (sends between 1 and 5),
  last_sent_at timestamptz(3) not null
);

-- Mail to be sent by a job; what is secret in it is sealed, and gone once it is sent.
create table mail (
  id uuid primary key,
  kind text not null,
  integrator text references integrator (code) on update cascade on delete cascade,
  sealed bytea,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  sent_at timestamptz(3)
);
create index mail_created_at_idx on mail (created_at);
alter table mail add constraint mail_secret_gone check (sent_at is null or sealed is null);

-- The key of a sandbox that was given none; in live mode it comes from the environment alone.
create table sandbox_secret (
  id integer primary key check (id = 1),
  secret text not null
);

-- Requests counted for all processes together, where that is asked for; worth nothing after a crash.
create unlogged table rate_limit (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

-- Answers kept for repetitions can carry a key that was just issued: they are sealed.
delete from idempotency;
alter table idempotency alter column body type bytea using null;

-- The audit log by months, of which old ones move to files whole.
alter table audit_log rename to audit_log_before;
alter table audit_log_before rename constraint audit_log_pkey to audit_log_before_pkey;
alter index audit_log_integrator_ts_id_idx rename to audit_log_before_integrator_ts_id_idx;
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
  constraint audit_log_pkey primary key (ts, id)
) partition by range (ts);
create index audit_log_integrator_ts_id_idx on audit_log (integrator, ts desc, id desc);
create trigger append_only before update or delete on audit_log for each row execute function refuse_rewriting();
create trigger append_only_whole before truncate on audit_log for each statement execute function refuse_rewriting();

-- The table of the month (UTC) that a moment lies in; made where it is missing.
create function ensure_audit_partition(moment timestamptz) returns void language plpgsql as $$
declare
  month timestamp := date_trunc('month', moment at time zone 'utc');
  partition text := 'audit_log_' || to_char(month, 'YYYY_MM');
begin
  if to_regclass(partition) is not null then return; end if;
  perform pg_advisory_xact_lock(7283002);
  if to_regclass(partition) is not null then return; end if;
  execute format('create table %I partition of audit_log for values from (%L) to (%L)', partition,
    to_char(month, 'YYYY-MM-DD') || ' 00:00:00+00', to_char(month + interval '1 month', 'YYYY-MM-DD') || ' 00:00:00+00');
  execute format('create trigger append_only_whole before truncate on %I for each statement execute function refuse_rewriting()', partition);
end $$;

do $$
begin
  perform ensure_audit_partition(ts) from (select distinct date_trunc('month', ts at time zone 'utc') at time zone 'utc' as ts from audit_log_before) months;
  perform ensure_audit_partition(now() + n * interval '1 month') from generate_series(0, 2) n;
end $$;
insert into audit_log (id, ts, request_id, http_status, endpoint, event, integrator, key, actor)
select id, ts, request_id, http_status, endpoint, event, integrator, key, actor from audit_log_before;
drop table audit_log_before;

-- The months that moved to files.
create table audit_archive (
  month date primary key,
  file text not null,
  rows bigint not null,
  bytes bigint not null,
  sha256 text not null,
  archived_at timestamptz(3) not null
);

-- Drops a month that has moved to a file, and books where it is, if the file has as many rows as the month.
create function archive_audit_partition(month_of date, file_name text, row_count bigint, byte_count bigint, checksum text, at timestamptz) returns void
language plpgsql as $$
declare
  partition text := 'audit_log_' || to_char(month_of, 'YYYY_MM');
  there bigint;
begin
  execute format('lock table %I in share mode', partition);
  execute format('select count(*) from %I', partition) into there;
  if there <> row_count then
    raise exception '% has % rows, its file %', partition, there, row_count using errcode = 'integrity_constraint_violation';
  end if;
  insert into audit_archive (month, file, rows, bytes, sha256, archived_at) values (month_of, file_name, row_count, byte_count, checksum, at);
  execute format('drop table %I', partition);
end $$;
