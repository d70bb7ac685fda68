-- Two people decide only where they are independent: nobody stands behind both. Behind somebody stands who invited or reactivated them,
-- changed their roles or agencies, asked for roles of theirs, or reset their second factor. Behind an account stands the operator who
-- issued a key of it that has worked since. The command line and identity providers lead to nobody: their names are no addresses.
create or replace function people_behind(names text[], since timestamptz) returns table (who text) language sql stable as $$
  with recursive behind (who) as (
    select unnest(names)
    union
    select maker.who from behind b cross join lateral (
      select a.actor from operator_audit a
      where a.subject = b.who and a.at > since and a.actor like '%@%' and (
        a.action in ('staff.invite', 'staff.reactivate', 'staff.reset_second_factor')
        or a.action = 'staff.update' and (a.after ? 'asks'
          or a.before -> 'roles' is distinct from a.after -> 'roles'
          or a.before -> 'agencies' is distinct from a.after -> 'agencies'))
      union all
      select k.issued_by from api_key k
      where k.integrator = b.who and k.issued_by like '%@%' and coalesce(least(k.revoked_at, k.expires_at), 'infinity') > since
    ) maker (who)
  )
  select behind.who from behind where behind.who is not null
$$;
