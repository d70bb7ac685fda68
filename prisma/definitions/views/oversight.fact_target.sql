-- A year's target is spread evenly over its days.
create or replace view oversight.fact_target as
  select '0' as document, t.mda, t.currency, y.first_day, y.last_day, round(t.amount / (y.last_day - y.first_day + 1), 6) as a_day
  from oversight.target t join oversight.agency a on a.mda = t.mda
  cross join lateral (select make_date(left(t.fiscal_year, 4)::int, a.fiscal_year_month, 1) as first_day) b
  cross join lateral (select b.first_day, (b.first_day + interval '1 year')::date - 1 as last_day) y;
