-- Who looked at which citizen: only added to, by the month of its rows, as the other logs are.
create table citizen_access (
  id uuid not null,
  at timestamptz(3) not null,
  citizen text,
  purpose text not null,
  stated_purpose text,
  caller text not null,
  actor text not null,
  integrator text,
  credential text,
  request_id text not null,
  primary key (at, id)
) partition by range (at);
create index citizen_access_citizen_idx on citizen_access (citizen, at desc, id desc);
create index citizen_access_actor_idx on citizen_access (actor, at desc, id desc);
create trigger append_only before update or delete or truncate on citizen_access for each statement execute function refuse_rewriting();

-- What is of no month that there is goes to the part for the rest, so that no row is ever refused.
create table citizen_access_rest partition of citizen_access default;
create trigger append_only_whole before update or delete or truncate on citizen_access_rest for each statement execute function refuse_rewriting();
select ensure_month('citizen_access', now() + n * interval '1 month') from generate_series(0, 3) n;

-- Whom it is for.
alter table staff
  drop constraint staff_roles_check,
  add constraint staff_roles_check
    check (roles <@ '{clerk,supervisor,admin,system_manager,oversight,finance_officer,auditor}' and cardinality(roles) > 0);
