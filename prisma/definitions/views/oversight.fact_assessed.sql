create or replace view oversight.fact_assessed as
  select q.document, person_number(s.salt, to_char(q.month, 'YYYYMM'), q.citizen) as person, q.month, q.assessed_at, q.currency, q.mda, q.service,
    case when w.was = 'Assessed' then '' else coalesce(i.channel, '') end as channel, coalesce(w.was, q.status) as status, q.amount,
    case when w.was = 'Assessed' then null else q.milliseconds end as milliseconds, q.leads,
    case when coalesce(w.was, q.status) = 'Assessed' then
      'DUE-' || left(encode(sha256(convert_to(s.salt || ' owed ' || q.document || ' ' || q.mda, 'UTF8')), 'hex'), 24) end as name
  from (
    select a.name as document, a.citizen, date_trunc('month', a.assessed_at at time zone 'utc')::date as month, a.assessed_at, a.currency, l.mda,
      l.service, a.status::text as status, sum(l.amount) as amount, (extract(epoch from a.paid_at - a.assessed_at) * 1000)::bigint as milliseconds,
      row_number() over (partition by a.name, l.mda order by l.service) = 1 as leads
    from assessment a join assessment_line l on l.assessment = a.name where a.assessed_at is not null group by a.name, l.mda, l.service
  ) q left join paying_intent i on i.assessment = q.document cross join oversight_salt s
  left join first_waiting w on w.document = q.document and w.intent is null
  where w.id is null or w.was is not null;
