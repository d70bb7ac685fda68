-- Requests to make somebody an admin become approvals of any kind: what is proposed is JSON, and who it is about decides
-- with the asker on who may approve it.
alter type admin_grant_status rename to approval_status;
alter type approval_status add value 'Expired';
alter table admin_grant rename to approval;
alter table approval rename constraint admin_grant_pkey to approval_pkey;
alter index admin_grant_created_at_name_idx rename to approval_created_at_name_idx;
alter table approval drop constraint admin_grant_staff_fkey;
alter table approval rename column staff to subject;
alter table approval
  add column kind text not null default 'roles',
  add column proposal jsonb not null default '{"roles": ["admin"]}',
  add column about text[] not null default '{}',
  add column mdas text[] not null default '{}',
  add column asked_key_issued_by text,
  add column expires_at timestamptz(3);
update approval set about = array[subject], expires_at = now() + interval '7 days';
alter table approval
  alter column kind drop default,
  alter column proposal drop default,
  alter column expires_at set not null;
drop index admin_grant_pending_key;
create unique index approval_pending_key on approval (kind, subject) where status = 'Pending';
