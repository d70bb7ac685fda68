-- Numbers to pay an assessment by, and money that arrived and paid nothing. A number stands for one assessment for good,
-- and an assessment has one that is Issued at most.
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

create table money_received (
  name text primary key,
  provider text not null,
  txn_id text not null,
  kind text not null check (kind in ('over', 'short', 'late', 'withdrawn', 'already_paid', 'unknown_reference', 'wrong_currency')),
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
