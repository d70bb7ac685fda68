-- Where messages are sent: up to ten endpoints of an account, of an agency, or of operators under an account of theirs.
create table webhook_endpoint (
  name text primary key,
  integrator text references integrator (code) on update cascade,
  agency text references mda (name) on update cascade,
  -- Its place among those of its owner. Place 0 is the one that an account has in its profile.
  place smallint check (place between case when agency is null then 0 else 1 end and case when agency is null then 9 else 10 end),
  is_default boolean not null generated always as (place is not distinct from 0) stored,
  label text not null,
  url text,
  types text[] not null default '{}',
  agencies text[] not null default '{}',
  secret bytea,
  secret_at timestamptz(3),
  previous_secret bytea,
  previous_until timestamptz(3),
  failing_since timestamptz(3),
  disabled_at timestamptz(3),
  disabled_reason text,
  prompt boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check (num_nonnulls(integrator, agency) = 1),
  -- An account learns the secret of its default endpoint by asking for one; of any other, when it is made.
  check (is_default or secret is not null)
);
create unique index webhook_endpoint_integrator_place_key on webhook_endpoint (integrator, place);
create unique index webhook_endpoint_agency_place_key on webhook_endpoint (agency, place);

-- The endpoint that an account has becomes its default.
insert into webhook_endpoint (name, integrator, place, label, url, secret, secret_at, previous_secret,
  previous_until, failing_since, disabled_at, disabled_reason, prompt, created_at, updated_at)
select 'EP-' || to_char(now() at time zone 'utc', 'YYYY') || '-' || lpad((row_number() over (order by created_at, code))::text, 6, '0'),
  code, 0, 'default', webhook_endpoint, webhook_secret, webhook_secret_at, webhook_previous_secret,
  webhook_previous_until, webhook_failing_since, webhook_disabled_at, webhook_disabled_reason, webhook_prompt, now(), now()
from integrator where webhook_endpoint is not null or webhook_secret is not null;
insert into docname_counter (series, next)
select 'EP-' || to_char(now() at time zone 'utc', 'YYYY'), count(*) + 1 from webhook_endpoint
on conflict (series) do update set next = greatest(docname_counter.next, excluded.next);

-- The agency that a message is for, whichever account made what it is about.
alter table outbox add column agency text;

-- Of deliveries from before, those that wait or can be sent again are given their endpoint; the others have none.
alter table webhook_delivery add column endpoint text, add column agency text, alter column integrator drop not null,
  add constraint webhook_delivery_endpoint_fkey foreign key (endpoint) references webhook_endpoint (name) not valid,
  add constraint webhook_delivery_agency_fkey foreign key (agency) references mda (name) on update cascade not valid,
  add constraint webhook_delivery_owner check (num_nonnulls(integrator, agency) = 1) not valid;
update webhook_delivery d set endpoint = e.name from webhook_endpoint e
where e.integrator = d.integrator and d.status <> 'delivered';

-- Messages in the order in which they became known, for those who fetch them.
create table event_log (
  position bigint generated always as identity,
  message uuid primary key references outbox (id),
  integrator text,
  agency text,
  type text not null,
  created_at timestamptz(3) not null
);
create index event_log_integrator_idx on event_log (integrator, position);
create index event_log_agency_idx on event_log (agency, position) where agency is not null;
create index event_log_created_at_idx on event_log using brin (created_at);

-- Who fetched messages, and when last.
create table event_reader (
  integrator text unique references integrator (code) on update cascade,
  agency text unique references mda (name) on update cascade,
  read_at timestamptz(3) not null,
  check (num_nonnulls(integrator, agency) = 1)
);
