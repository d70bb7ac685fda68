-- Agencies and fiscal partners tell the rail of what happened on their side.

-- What a push was about, as the answer to a repetition says it; null for callbacks of payment providers.
alter table inbound_callback add column object text;

-- The number that a fiscal partner gave a payment or a whole assessment, and where its document can be read.
create table fiscal_document (
  name text primary key,
  issuer text not null,
  number text not null,
  assessment text not null references assessment (name),
  payment_event text references payment_event (name),
  mda text references mda (name),
  integrator text references integrator (code) on update cascade,
  url text,
  issued_at timestamptz(3),
  created_at timestamptz(3) not null
);
create unique index fiscal_document_issuer_number_key on fiscal_document (issuer, number);
create index fiscal_document_assessment_idx on fiscal_document (assessment, created_at desc, name desc);
create index fiscal_document_payment_event_idx on fiscal_document (payment_event, created_at desc, name desc) where payment_event is not null;
create trigger append_only before update or delete or truncate on fiscal_document for each statement execute function refuse_rewriting();
