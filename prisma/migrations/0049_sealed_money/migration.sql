-- Outside a transaction: writers go on while the index is built. Money received, and approvals by the day on which they were decided, are sealed too.
create index concurrently if not exists approval_decided_at_idx on approval (decided_at);
alter table log_seal drop constraint if exists log_seal_log,
  add constraint log_seal_log check (log in ('approval', 'citizen_access', 'money_received', 'operator_audit'));
