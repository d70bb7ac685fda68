-- Links to a page at which an assessment can be paid. Of a link's token the hash alone is kept. Intents of a link are found
-- by its assessment, so that the column of intents needs no index.
create type payment_link_status as enum ('Open', 'Withdrawn');
create table payment_link (
  name text primary key,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  assessment text not null references assessment (name),
  integrator text references integrator (code) on update cascade,
  channels text[] not null,
  return_url text,
  status payment_link_status not null,
  expires_at timestamptz(3) not null,
  revision integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index payment_link_assessment_idx on payment_link (assessment);
create index payment_link_integrator_idx on payment_link (integrator, created_at desc, name desc);
alter table payment_intent add column link text;
