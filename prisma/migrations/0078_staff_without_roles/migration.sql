-- Whoever is to be an admin and nothing else has no role until another admin approves it.
alter table staff
  drop constraint staff_roles_check,
  add constraint staff_roles_check
    check (roles <@ '{clerk,supervisor,admin,system_manager,oversight,finance_officer,auditor}');
