create or replace view oversight.country as select code, time_zone, fiscal_year_month from country;
