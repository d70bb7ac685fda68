-- The second factor of staff: codes by time (RFC 6238), whose secrets are sealed, and recovery codes, of which hashes are stored.
-- A secret counts once a code of it has confirmed it; each code counts once.
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
