-- What payers are told by text and letter, in which language, and who asked for no more. The check of the language is
-- not valid for rows that are there, which have none, so that no table is read under a lock.
alter table citizen add column language text, add column texts_stopped_at timestamptz(3), add column letters_stopped_at timestamptz(3);
alter table citizen add constraint citizen_language check (language in ('en', 'fr', 'sw', 'lg')) not valid;

create type payer_message_kind as enum ('reference_issued', 'paid', 'reversed');
create type payer_message_transport as enum ('sms', 'mail');
create type payer_message_status as enum ('Queued', 'Sent', 'Delivered', 'Failed', 'Suppressed');
create table payer_message (
  name text primary key,
  citizen text not null references citizen (name),
  assessment text not null references assessment (name),
  intent text references payment_intent (name),
  subject text not null,
  kind payer_message_kind not null,
  transport payer_message_transport not null,
  language text not null,
  status payer_message_status not null,
  address bytea,
  attempts integer not null default 0,
  due_at timestamptz(3) not null,
  claimed_at timestamptz(3),
  gateway text,
  gateway_id text,
  cost numeric(19, 4),
  currency text,
  failure text,
  created_at timestamptz(3) not null,
  sent_at timestamptz(3),
  delivered_at timestamptz(3),
  updated_at timestamptz(3) not null,
  constraint payer_message_forgets_its_address check (address is null or status = 'Queued')
);
create index payer_message_created_at_idx on payer_message (created_at desc, name desc);
create index payer_message_citizen_idx on payer_message (citizen, created_at desc, name desc);
create index payer_message_assessment_idx on payer_message (assessment);
create index payer_message_due_idx on payer_message (due_at) where status = 'Queued';
create unique index payer_message_gateway_key on payer_message (gateway, gateway_id);
