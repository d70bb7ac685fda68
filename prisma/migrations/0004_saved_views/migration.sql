-- Pages of figures that staff keep under a name, and who gets them by mail: how often, and the day they were last sent.
create table saved_view (
  id uuid primary key,
  owner text not null references staff (email) on update cascade on delete cascade,
  name text not null,
  address text not null,
  every text constraint saved_view_every_check check (every in ('day', 'week', 'month')),
  language text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index saved_view_owner_idx on saved_view (owner);

create table saved_view_recipient (
  view uuid not null references saved_view (id) on update cascade on delete cascade,
  staff text not null references staff (email) on update cascade on delete cascade,
  sent_on date not null,
  primary key (view, staff)
);
create index saved_view_recipient_staff_idx on saved_view_recipient (staff);
