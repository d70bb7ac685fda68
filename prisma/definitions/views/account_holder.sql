-- Whose an account is: of each agency that has it, or, where none has, of those that had it until a change.
create or replace view account_holder as
  select m.collection_account as account, m.name as mda from mda m where m.collection_account is not null
  union
  select c.former_account, c.mda from account_change c
  where c.applied_at is not null and c.former_account is not null
    and not exists (select from mda m where m.collection_account = c.former_account);
