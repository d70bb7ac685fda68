-- Signed receipts, one a confirmed intent, and the keys that sign them: one is current of each use, and the private half of a key that
-- signs no more is forgotten.
create type signing_key_use as enum ('token', 'receipt');
alter table signing_key add column use signing_key_use not null default 'token', alter column private_key drop not null;
drop index signing_key_current;
create unique index signing_key_current on signing_key (use) where expires_at is null;
alter table signing_key add constraint signing_key_can_sign
  check (private_key is not null or (use = 'receipt' and expires_at is not null));

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
  constraint receipt_voided check ((status = 'Void') = (voided_at is not null))
);
create unique index receipt_intent_key on receipt (intent);
create index receipt_assessment_idx on receipt (assessment, created_at desc, name desc);
