-- Links that are mailed to staff: to accept an invitation, or to reset a password. Each works once; what is stored of it is a hash.
create table staff_link (
  id uuid primary key,
  kind text not null check (kind in ('invitation', 'password_reset')),
  staff text references staff (email),
  hash bytea not null unique,
  -- Whether whoever asked for it did so from a network that its owner is known to use.
  known boolean not null default true,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index staff_link_staff_idx on staff_link (staff, kind, created_at desc);
create index staff_link_expires_at_idx on staff_link (expires_at);

-- Mail goes to staff too.
alter table mail add column staff text references staff (email);
