-- Making somebody an admin takes two people: one asks, another decides.
create type admin_grant_status as enum ('Pending', 'Approved', 'Refused');
create table admin_grant (
  name text primary key,
  staff text not null references staff (email),
  status admin_grant_status not null default 'Pending',
  asked_by text not null,
  asked_reason text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  decided_by text,
  decided_at timestamptz(3),
  decided_reason text,
  check ((status = 'Pending') = (decided_at is null)),
  check (status <> 'Approved' or decided_by <> asked_by)
);
create unique index admin_grant_pending_key on admin_grant (staff) where status = 'Pending';
create index admin_grant_created_at_name_idx on admin_grant (created_at desc, name desc);
