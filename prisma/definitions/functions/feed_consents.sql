-- A person who has consented no longer counts as registered by hand, and a later consent for the same agency is no longer the first. Two
-- consents of one person wait for one another here, so that one of them sees both.
create or replace function feed_consents() returns trigger language plpgsql as $$
begin
  perform from citizen where name in (select citizen from added) order by name for no key update;
  insert into fact_change (kind, document)
    select distinct 'registration', to_char(at at time zone 'utc', 'YYYY-MM-DD') from (
      select created_at as at from added
      union all
      select c.created_at from added a cross join lateral (select created_at from citizen where name = a.citizen offset 0) c
      union all
      select e.created_at from added a cross join lateral (select * from consent_event b where b.citizen = a.citizen offset 0) e
      where e.mda is not distinct from a.mda and (e.created_at, e.name) > (a.created_at, a.name)
    ) d;
  return null;
end $$;
