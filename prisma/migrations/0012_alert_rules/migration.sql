-- Which anomalies operators are alerted to, what waits to be sent by each rule, when each rule sent a kind last, and the day of the last
-- digest of staff of agencies. One rule is there from the start, so that nobody has to make it: whatever is high, to all admins. It is
-- a row, which operators change or switch off as any other; its number is one that no new rule gets.
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

insert into alert_rule (name, role, transport, severity, enabled, created_by, created_at, updated_at)
values ('ALR-2026-000000', 'admin', 'mail', 'high', true, 'system', now(), now());
