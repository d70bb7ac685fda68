-- Networks from which somebody has proved to be who they are; who and where as keyed hashes.
create table known_network (
  holder bytea not null,
  network bytea not null,
  seen_at timestamptz(3) not null,
  constraint known_network_pkey primary key (holder, network)
);
create index known_network_seen_at_idx on known_network (seen_at);

-- Links that were mailed to an address, whoever asked for them: at most five a day, three of them for networks that it is not known to use.
create table mailbox_quota (
  mailbox bytea not null,
  day date not null,
  sends integer not null check (sends between 1 and 5),
  unknown_sends integer not null check (unknown_sends between 0 and 3),
  last_sent_at timestamptz(3) not null,
  constraint mailbox_quota_pkey primary key (mailbox)
);
alter table magic_link add column mailbox bytea;

-- A sign-up that nobody has verified keeps its address from nobody: others may wait beside it, one a network.
alter table integrator add column network bytea not null default '\x';
drop index integrator_contact_email_key;
create unique index integrator_contact_email_key on integrator (contact_email) where status <> 'PendingEmail';
create unique index integrator_pending_key on integrator (contact_email, network) where status = 'PendingEmail';
