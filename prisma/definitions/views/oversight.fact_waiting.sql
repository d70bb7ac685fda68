-- In which parts figures would move by what waits. Of `fact` it changes the rows of `item`.
create or replace view oversight.fact_waiting as
  select w.document, w.id, coalesce(w.last, w.id) as last, f.fact, f.item, person_number(s.salt, to_char(f.month, 'YYYYMM'), a.citizen) as person,
    w.was, case when w.last is null then 'cause' else f.becomes end as becomes, f.month, f.due, f.currency, f.mda, f.service, f.channel, f.detail
  from waiting_change w join assessment a on a.name = w.document cross join oversight_salt s
  cross join lateral (
    select distinct 'assessed' as fact, document_number(a.name) as item,
      case when exists (select from assessment b where b.replaces = a.name) then 'Replaced' else a.status::text end as becomes,
      date_trunc('month', a.assessed_at at time zone 'utc')::date as month, date_trunc('month', a.due_on)::date as due, a.currency, l.mda, l.service, p.channel,
      concat_ws(' ', e.ground, to_char(p.at at time zone 'utc', 'YYYY-MM'), to_char(a.cancelled_at at time zone 'utc', 'YYYY-MM')) as detail
    from assessment_line l left join exemption e on e.name = l.exemption left join lateral (
      select a.paid_at as at, (
        select i.channel::text from payment_intent i where i.assessment = a.name and i.status = 'Confirmed' order by i.confirmed_at, i.name limit 1
      ) as channel
      where a.paid_at is not null and w.was is distinct from 'Paid'
    ) p on true
    where l.assessment = w.document and w.intent is null
    union all
    select 'attempt', document_number(i.name), i.status::text, date_trunc('month', i.created_at at time zone 'utc')::date, null::date, null,
      coalesce((select r.mda from split_rule r where r.intent = i.name order by r.amount desc, r.mda limit 1), ''), null, i.channel::text,
      case when w.last is null then failure_cause(i.failure_reason) end
    from payment_intent i where i.name = w.intent
  ) f
  where w.kind = 'assessment';
