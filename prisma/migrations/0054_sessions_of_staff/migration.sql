-- Staff are invited, and come and go. A session holds while it is of its owner's generation: whoever begins a new one ends
-- them all, those that are being opened at that moment among them. Whoever was invited has no password yet.
alter table staff
  alter column password_hash drop not null,
  add column generation int not null default 0,
  add column invited_at timestamptz(3),
  add column deactivated_at timestamptz(3),
  add column deactivated_reason text;
update staff set deactivated_at = updated_at where not active;

alter table staff_session
  add column generation int not null default 0,
  add column second_factor boolean not null default false;
create index staff_session_of_staff_idx on staff_session (staff, created_at desc);
