create or replace view oversight.fact_refund as
  select r.name as document, s.mda, coalesce(l.service, '') as service, i.channel::text as channel, r.currency, r.reason_code as code,
    r.method::text as method, sum(s.amount) as amount, row_number() over (partition by r.name, s.mda order by l.service) = 1 as leads,
    (r.done_at at time zone 'utc')::date as day, (r.done_at at time zone z.time_zone)::date as local_day,
    (extract(epoch from r.done_at - r.created_at) * 1000)::bigint as milliseconds, i.aggregator as provider
  from refund r join refund_share s on s.refund = r.name join payment_intent i on i.name = r.intent join agency_calendar z on z.mda = s.mda
  left join assessment_line l on l.assessment = i.assessment and l.idx = s.idx
  where r.status = 'Done'
  group by r.name, s.mda, l.service, i.channel, i.aggregator, z.time_zone;
