create or replace view oversight.fact_shift as
  select s.name as document, date_trunc('month', s.closed_at at time zone 'utc')::date as month, (s.closed_at at time zone z.time_zone)::date as day,
    substr(encode(sha256(convert_to((select salt from oversight_salt) || ' shift ' || s.mda || ' ' || s.clerk, 'UTF8')), 'hex'), 1, 16) as person,
    s.mda, concat_ws(' ', s.mda, nullif(trim(s.counter_label), '')) as counter, s.currency, s.expected_cash, s.cash_counted, s.variance,
    s.variance_status, w.id as waiting
  from counter_shift s join agency_calendar z on z.mda = s.mda left join first_waiting w on w.document = s.name where s.status = 'Closed';
