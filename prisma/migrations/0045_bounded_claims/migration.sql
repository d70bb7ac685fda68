-- Unsigned reports keep up to three moments of a transaction, who sent them, and whether the payment point does not have it.
alter table payment_claim
  add column other_moments timestamptz(3)[] not null default '{}',
  add column sender bytea,
  add column denied boolean not null default false;
