-- The accounts that agencies had, each from one moment until another: null is since ever, and until now. Its key names an account without
-- saying anything of it, and is the same for all agencies that have it.
create or replace view agency_account as
  select s.mda, s.account, s.from_at, s.to_at, min(s.mda || '#' || s.nth) over (partition by s.account) as key
  from (
    select a.mda, case when a.to_at is null then m.collection_account else a.account end as account, a.from_at, a.to_at, a.nth
    from (
      select c.mda, c.collection_account as account, c.applied_at as from_at,
        lead(c.applied_at) over (partition by c.mda order by c.applied_at, c.name) as to_at,
        row_number() over (partition by c.mda order by c.applied_at, c.name) as nth
      from account_change c where c.applied_at is not null
      union all
      select n.name, coalesce(f.former_account, case when f.applied_at is null then n.collection_account end), null, f.applied_at, 0
      from mda n left join lateral (
        select c.former_account, c.applied_at from account_change c where c.mda = n.name and c.applied_at is not null
        order by c.applied_at, c.name limit 1) f on true
    ) a join mda m on m.name = a.mda
  ) s where s.account is not null;
