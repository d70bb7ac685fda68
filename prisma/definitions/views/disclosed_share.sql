-- The same as figures may show it: while a change of status waits for the next step, the assessment is as it was before, and one that is new
-- is not shown. What was replaced counts no more: what replaced it does.
create or replace view disclosed_share as
  select q.document, q.citizen, q.month, q.due, q.assessed_at, q.currency, q.mda, q.service, coalesce(w.was, q.status) as status, q.amount,
    case when w.was = 'Assessed' then '' else coalesce(i.channel, '') end as channel,
    case when w.was = 'Assessed' then null else q.milliseconds end as milliseconds, q.leads
  from assessed_share q
  left join paying_intent i on i.assessment = q.document
  left join first_waiting w on w.document = q.document and w.intent is null
  where case when w.id is null then not q.replaced else w.was is not null end;
