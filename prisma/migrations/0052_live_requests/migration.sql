-- What integrators ask for to go live, and what operators decide of it. One request of an account waits at a time.
create type live_request_status as enum ('Pending', 'Approved', 'Refused');

create table live_request (
  name text primary key,
  integrator text not null references integrator (code),
  status live_request_status not null,
  agencies text[] not null,
  channels text[] not null,
  note text,
  approved_agencies text[] not null default '{}',
  approved_channels text[] not null default '{}',
  limit_per_minute integer check (limit_per_minute > 0),
  reason text,
  decided_by text,
  decided_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint live_request_decided check ((status = 'Pending') = (decided_at is null) and (decided_at is null) = (decided_by is null)),
  constraint live_request_approved check ((status = 'Approved') = (cardinality(approved_agencies) > 0)
    and (status = 'Approved') = (cardinality(approved_channels) > 0)),
  constraint live_request_refused check ((status = 'Refused') = (reason is not null))
);
create unique index live_request_one_pending on live_request (integrator) where status = 'Pending';
create index live_request_integrator_idx on live_request (integrator, created_at desc, name desc);
create index live_request_created_at_idx on live_request (created_at desc, name desc);

-- Whoever signed up before and has not verified their address yet begins like those who sign up from now on.
update integrator set tier = 'sandbox', allowed_channels = '{}', allowed_agencies = '{}'
where status = 'PendingEmail' and tier = 'live';
