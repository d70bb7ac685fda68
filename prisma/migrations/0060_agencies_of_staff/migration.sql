-- Staff may be bound to agencies, and then see and touch what is theirs alone; who is bound to none sees all, as all do who are there already.
-- Finance officers read what agencies are paid.
alter table staff
  add column agencies text[] not null default '{}',
  drop constraint staff_roles_check,
  add constraint staff_roles_check
    check (roles <@ '{clerk,supervisor,admin,system_manager,oversight,finance_officer}' and cardinality(roles) > 0);
