-- How many people paid is counted by a function, once for each of them, and no view shows who paid what, not even by a number.
drop view oversight.paid;
create function oversight.payers(from_at timestamptz, to_at timestamptz, agencies text[])
returns table (mda text, month date, people integer, first integer)
language sql stable security definer set search_path = public as $$
  with paid as (
    select distinct e.mda, a.citizen, date_trunc('month', e.occurred_at at time zone 'utc') as month
    from payment_event e join assessment a on a.name = e.assessment
    where e.kind = 'payment' and e.occurred_at >= from_at and e.occurred_at < to_at and (agencies is null or e.mda = any(agencies))
  )
  -- `first` had not paid this agency in any month before.
  select q.mda, q.month::date, count(*)::integer, count(*) filter (where not exists (
    select from assessment b join payment_event p on p.assessment = b.name
    where b.citizen = q.citizen and p.mda = q.mda and p.kind = 'payment' and p.occurred_at < q.month at time zone 'utc'))::integer
  from paid q group by 1, 2
$$;
revoke all on function oversight.payers(timestamptz, timestamptz, text[]) from public;
grant execute on function oversight.payers(timestamptz, timestamptz, text[]) to rail_oversight;
