-- Staff sign in at an identity provider. Who somebody is there is what they are known by; their address may change hands.
create table staff_identity (
  issuer text not null,
  subject text not null,
  staff text not null references staff (email),
  created_at timestamptz(3) not null,
  signed_in_at timestamptz(3) not null,
  primary key (issuer, subject)
);
create unique index staff_identity_staff_key on staff_identity (staff, issuer);

-- Sign-ins that were begun, by the hash of what the browser holds. Each is used once.
create table sign_on_attempt (
  hash bytea primary key,
  return_to text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index sign_on_attempt_expires_at_idx on sign_on_attempt (expires_at);

-- Those who may log in by password although staff sign in at a provider; and which sessions were opened there.
alter table staff add column break_glass boolean not null default false;
alter table staff_session add column signed_on boolean not null default false;
