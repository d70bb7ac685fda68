-- What the days and years of a country's figures go by. Each country profile says it when it is loaded; of countries that are here already,
-- those whose profile comes with the rail are known, and the others go by UTC and by calendar years until theirs is loaded again.
create table country (
  code text primary key,
  -- As in the tz database, such as Africa/Kampala.
  time_zone text not null,
  -- The month, 1 to 12, whose first day begins a fiscal year.
  fiscal_year_month smallint not null check (fiscal_year_month between 1 and 12)
);
insert into country (code, time_zone, fiscal_year_month) values ('KE', 'Africa/Nairobi', 7), ('UG', 'Africa/Kampala', 7);
insert into country (code, time_zone, fiscal_year_month) select distinct country, 'UTC', 1 from mda on conflict do nothing;

-- Where an agency is; both null where the profile does not say.
alter table mda add column region text, add column district text;

create view oversight.country as select code, time_zone, fiscal_year_month from country;
create or replace view oversight.agency as
  select name as mda, mda_name, country, mda_type, interaction_mode, status, region, district from mda;
grant select on oversight.country to rail_oversight;
