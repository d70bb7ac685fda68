-- A change of an agency's account that two people agreed on takes effect later, so that somebody else can still stop it.
alter table account_change
  add column effective_at timestamptz(3),
  add column applied_at timestamptz(3);
update account_change set effective_at = decided_at, applied_at = decided_at where status = 'Approved';
alter table account_change
  add constraint account_change_effective check ((status = 'Approved') = (effective_at is not null)),
  add constraint account_change_applied check (applied_at is null or applied_at >= effective_at);
drop index account_change_pending_key;
create unique index account_change_pending_key on account_change (mda)
  where status = 'Pending' or (status = 'Approved' and applied_at is null);
