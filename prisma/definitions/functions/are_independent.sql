-- True if nobody stands behind both people.
create or replace function are_independent(one text[], other text[], since timestamptz) returns boolean language sql stable as $$
  select not exists (select who from people_behind(one, since) intersect select who from people_behind(other, since))
$$;
