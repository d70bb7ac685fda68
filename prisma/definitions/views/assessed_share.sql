-- An assessment's amount for each service of an agency. One row of each agency leads, so that its assessments are counted once.
-- A total of zero is not paid, and takes no time to payment.
create or replace view assessed_share as
  select a.name as document, a.citizen, date_trunc('month', a.assessed_at at time zone 'utc')::date as month, date_trunc('month', a.due_on)::date as due,
    a.assessed_at, a.currency, l.mda,
    l.service, a.status::text as status, sum(l.amount) as amount,
    case when a.total_amount > 0 then (extract(epoch from a.paid_at - a.assessed_at) * 1000)::bigint end as milliseconds,
    row_number() over (partition by a.name, l.mda order by l.service) = 1 as leads,
    a.cancelled_at is not null and exists (select from assessment b where b.replaces = a.name) as replaced
  from assessment a join assessment_line l on l.assessment = a.name
  where a.assessed_at is not null
  group by a.name, l.mda, l.service;
