-- Transactions that were reported without a signature wait here until their payment point, or its statement, says the same.
create table payment_claim (
  provider text not null,
  txn_id text not null,
  paid_at timestamptz(3) not null,
  asks integer not null default 0,
  ask_at timestamptz(3),
  received_at timestamptz(3) not null,
  primary key (provider, txn_id)
);
create index payment_claim_ask_at_idx on payment_claim (provider, ask_at) where ask_at is not null;
