-- Holidays are between commas, so that a day of one year and a day of each are found alike.
create or replace view oversight.fact_agency as
  select '0' as document, a.mda, a.mda_name, a.country, a.region, a.district, a.time_zone, a.fiscal_year_month,
    coalesce(array_to_string(c.weekend, ','), 'saturday,sunday') as weekend,
    coalesce(',' || (select string_agg(h ->> 'day', ',') from jsonb_array_elements(c.holidays) h) || ',', '') as holidays
  from oversight.agency a left join country c on c.code = a.country;
