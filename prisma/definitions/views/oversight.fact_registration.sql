-- People registered on each day (UTC): by the identity authority, with the first consent that somebody gave for an agency; by hand, where
-- there is no consent. Organisations are not people. What else is known of a person is looked up, however many people there are.
create or replace view oversight.fact_registration as
  select d.document, d.day, r.source, r.mda, r.people
  from (
    select to_char(s.first + n, 'YYYY-MM-DD') as document, s.first + n as day
    from (
      select (min(at) at time zone 'utc')::date as first, (max(at) at time zone 'utc')::date as last
      from (
        select min(created_at) as at from citizen union all select max(created_at) from citizen
        union all select min(created_at) from consent_event union all select max(created_at) from consent_event
      ) ends
    ) s cross join lateral generate_series(0, s.last - s.first) n
  ) d cross join lateral (
    select 'identity_authority' as source, c.mda, count(*)::integer as people
    from consent_event c
    where c.created_at >= d.day::timestamp at time zone 'utc' and c.created_at < (d.day + 1)::timestamp at time zone 'utc'
      and c.name = (
        select b.name from consent_event b where b.citizen = c.citizen and b.mda is not distinct from c.mda
        order by b.created_at, b.name limit 1)
    group by c.mda
    union all
    select 'by_hand', null, count(*)::integer
    from citizen c
    where c.kind = 'person' and c.created_at >= d.day::timestamp at time zone 'utc' and c.created_at < (d.day + 1)::timestamp at time zone 'utc'
      and (select e.name from consent_event e where e.citizen = c.name limit 1) is null
    having count(*) > 0
  ) r;
