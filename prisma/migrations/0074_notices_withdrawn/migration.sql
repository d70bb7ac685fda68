-- Notices are changed and withdrawn after they were published, say whom they concern, and are told to integrators.
alter table service_notice
  add column channels text[] not null default '{}' check (channels <@ array['mtn_momo', 'airtel_money', 'card', 'cash']),
  add column mdas text[] not null default '{}',
  add column revision integer not null default 1,
  -- How many messages tell of it so far: the sequence of the next one follows.
  add column messages integer not null default 0,
  add column updated_at timestamptz(3) not null default now(),
  add column withdrawn_at timestamptz(3);
update service_notice set updated_at = created_at;
