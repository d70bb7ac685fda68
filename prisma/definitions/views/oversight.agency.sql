create or replace view oversight.agency as
  select m.name as mda, m.mda_name, m.country, m.mda_type, m.interaction_mode, m.status, m.region, m.district, z.time_zone, z.fiscal_year_month
  from mda m join agency_calendar z on z.mda = m.name;
