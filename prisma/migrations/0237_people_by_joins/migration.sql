-- Facts about people are read in bulk where a copy is filled: the intent that paid an assessment, and the largest part of an intent, are joined,
-- and not looked up for each row. Some documents are still found by their indexes.
create view paying_intent as
  select i.assessment, i.channel::text as channel from payment_intent i
  where i.status = 'Confirmed' and not exists (
    select from payment_intent o where o.assessment = i.assessment and o.status = 'Confirmed'
      and (coalesce(o.confirmed_at, 'infinity'), o.name) < (coalesce(i.confirmed_at, 'infinity'), i.name));
create view largest_split as
  select r.intent, r.mda from split_rule r
  where not exists (
    select from split_rule o where o.intent = r.intent and (o.amount > r.amount or o.amount = r.amount and o.mda < r.mda));

create or replace view oversight.fact_assessed as
  select q.document, person_number(s.salt, to_char(q.month, 'YYYYMM'), q.citizen) as person, q.month, q.assessed_at, q.currency, q.mda, q.service,
    case when w.was = 'Assessed' then '' else coalesce(i.channel, '') end as channel, coalesce(w.was, q.status) as status, q.amount,
    case when w.was = 'Assessed' then null else q.milliseconds end as milliseconds, q.leads,
    case when coalesce(w.was, q.status) = 'Assessed' then
      'DUE-' || left(encode(sha256(convert_to(s.salt || ' ' || q.document || ' ' || q.mda, 'UTF8')), 'hex'), 24) end as name
  from (
    select a.name as document, a.citizen, date_trunc('month', a.assessed_at at time zone 'utc')::date as month, a.assessed_at, a.currency, l.mda,
      l.service, a.status::text as status, sum(l.amount) as amount, (extract(epoch from a.paid_at - a.assessed_at) * 1000)::bigint as milliseconds,
      row_number() over (partition by a.name, l.mda order by l.service) = 1 as leads
    from assessment a join assessment_line l on l.assessment = a.name where a.assessed_at is not null group by a.name, l.mda, l.service
  ) q left join paying_intent i on i.assessment = q.document cross join oversight_salt s
  left join first_waiting w on w.document = q.document and w.intent is null
  where w.id is null or w.was is not null;

create or replace view oversight.fact_attempt as
  select i.assessment as document, person_number(s.salt, to_char(i.created_at at time zone 'utc', 'YYYYMM'), a.citizen) as person,
    date_trunc('month', i.created_at at time zone 'utc')::date as month, i.channel::text as channel,
    coalesce(r.mda, '') as mda,
    coalesce(w.was, i.status::text) as status,
    case coalesce(w.was, i.status::text) when 'Expired' then 'expired'
      when 'Failed' then case when exists (
        select from people_waiting c where c.document = i.assessment and c.intent = i.name and c.becomes = 'cause'
      ) then '' else failure_cause(i.failure_reason) end else '' end as cause,
    document_number(i.name) as attempt
  from payment_intent i join assessment a on a.name = i.assessment left join largest_split r on r.intent = i.name
  cross join oversight_salt s left join first_waiting w on w.document = i.assessment and w.intent = i.name
  where i.status <> 'Pending' and (w.id is null or w.was is not null);
