-- Agencies show who they are by keys of their own: operators register the public part, and the rail issues short-lived tokens to whoever
-- signs with the private one.
create table agency_key (
  name text primary key,
  mda text not null references mda (name),
  label text not null,
  kid text not null,
  public_key jsonb not null,
  -- One key is one agency's: whoever holds it could speak for all that it is registered for. It also cannot come back once it was revoked.
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
  unique (mda, kid),
  constraint agency_key_expires check ((status = 'rolling') <= (expires_at is not null)),
  constraint agency_key_revoked check ((status = 'revoked') = (revoked_at is not null)),
  -- What is secret of a key has no place here, whatever is asked for.
  constraint agency_key_public check (not public_key ?| array['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])
);
create index agency_key_mda_created_at_idx on agency_key (mda, created_at desc);

-- Each assertion is good for one token: whoever inserts it first has it.
create table agency_assertion (
  hash bytea primary key,
  expires_at timestamptz(3) not null
);
create index agency_assertion_expires_at_idx on agency_assertion (expires_at);

-- The key pair that tokens are signed with. All processes share it; one of them makes it.
create table signing_key (
  kid text primary key,
  public_key jsonb not null,
  private_key bytea not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3)
);
create unique index signing_key_current on signing_key ((expires_at is null)) where expires_at is null;
