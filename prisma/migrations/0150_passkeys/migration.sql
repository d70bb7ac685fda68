-- Passkeys as second factors of staff, and the challenges that they have answered, each of which counts once.
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

create table passkey_challenge (
  hash bytea primary key,
  expires_at timestamptz(3) not null
);
create index passkey_challenge_expires_at_idx on passkey_challenge (expires_at);
