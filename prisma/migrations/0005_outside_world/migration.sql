-- The outside world: when to ask how a collection stands, what agencies are told, and settlement statements compared.

-- When the aggregator is asked next how a collection stands, and how often it was; null: nobody needs to ask.
alter table payment_intent
  add column enquire_at timestamptz(3),
  add column enquiries integer not null default 0;
update payment_intent set enquire_at = now() where status = 'Sent' and channel <> 'cash';
create index payment_intent_enquire_at_idx on payment_intent (channel, enquire_at) where enquire_at is not null;

-- An agency with a system of its own that is to be told of its part of a paid assessment.
create table propagation (
  name text primary key,
  assessment text not null references assessment (name),
  mda text not null references mda (name),
  status text not null check (status in ('pending', 'done', 'dead')),
  attempts integer not null default 0,
  next_attempt_at timestamptz(3),
  claimed_until timestamptz(3),
  last_error text,
  receipt text,
  created_at timestamptz(3) not null,
  done_at timestamptz(3),
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((status = 'done') = (done_at is not null))
);
create unique index propagation_assessment_mda_key on propagation (assessment, mda);
create index propagation_due_idx on propagation (next_attempt_at) where status = 'pending';
create index propagation_created_at_idx on propagation (created_at desc, name desc);

-- A settlement statement compared with what is recorded: what was compared, and what came of it.
create table reconciliation_run (
  name text primary key,
  provider text not null,
  from_at timestamptz(3) not null,
  to_at timestamptz(3) not null,
  rerun_of text references reconciliation_run (name),
  source_hash text not null,
  rows jsonb not null,
  ignored integer not null,
  matched integer not null,
  missing_here integer not null,
  missing_there integer not null,
  amount_differs integer not null,
  duplicate integer not null,
  created_by text not null,
  created_at timestamptz(3) not null
);
create index reconciliation_run_created_at_idx on reconciliation_run (created_at desc, name desc);
create table reconciliation_item (
  name text primary key,
  run text not null references reconciliation_run (name),
  idx integer not null,
  outcome text not null check (outcome in ('matched', 'missing_here', 'missing_there', 'amount_differs', 'duplicate')),
  line integer,
  reference text not null,
  intent text,
  intent_status text,
  statement_amount numeric(19, 4),
  statement_currency text,
  recorded_amount numeric(19, 4),
  recorded_currency text,
  txn_id text
);
create unique index reconciliation_item_run_idx_key on reconciliation_item (run, idx);
create trigger append_only before update or delete or truncate on reconciliation_run for each statement execute function refuse_rewriting();
create trigger append_only before update or delete or truncate on reconciliation_item for each statement execute function refuse_rewriting();
