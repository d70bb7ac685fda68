-- Anomalies, once for each agency that they concern.
create or replace view oversight.fact_anomaly as
  select a.name as document, a.kind, a.severity, a.status, (a.raised_at at time zone 'utc') as raised_at, (a.raised_at at time zone 'utc')::date as day,
    (a.raised_at at time zone z.time_zone)::date as local_day, m.mda, coalesce(m.place = 1, true) as leads,
    case when a.kind = 'cash_variance' then document_number(a.subject) end as shift
  from anomaly a left join lateral unnest(a.mdas) with ordinality m (mda, place) on true left join agency_calendar z on z.mda = m.mda;
