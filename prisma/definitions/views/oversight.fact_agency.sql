create or replace view oversight.fact_agency as
  select '0' as document, mda, mda_name, country, region, district, time_zone, fiscal_year_month from oversight.agency;
