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
