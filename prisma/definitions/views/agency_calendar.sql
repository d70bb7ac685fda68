-- The time zone and the fiscal year of each agency.
create or replace view agency_calendar as
  select m.name as mda, coalesce(c.time_zone, 'UTC') as time_zone, coalesce(c.fiscal_year_month, 1) as fiscal_year_month
  from mda m left join country c on c.code = m.country;
