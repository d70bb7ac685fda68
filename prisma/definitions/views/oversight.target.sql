create or replace view oversight.target as select mda, fiscal_year, currency, amount from revenue_target;
