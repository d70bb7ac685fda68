create or replace view oversight.fact_cancellation as
  select c.document, c.name, c.kind, c.mda, c.amount, c.currency, c.channel, c.cancelled_at, (c.cancelled_at at time zone 'utc')::date as day,
    (c.cancelled_at at time zone z.time_zone)::date as local_day, date_trunc('month', c.cancelled_at at time zone 'utc')::date as month, c.paid_at,
    c.counter_mda, c.counter, c.explained, c.same_hand, c.person, c.kind = 'reversal' or w.id is null as told
  from (
    select e.assessment as document, e.name, 'reversal' as kind, e.mda, -e.amount as amount, e.currency, e.channel::text as channel,
      e.occurred_at as cancelled_at, p.occurred_at as paid_at, h.mda as counter_mda, h.counter_label as counter,
      e.refund is not null or coalesce(a.cancel_reason, '') <> '' as explained,
      case when e.refund is null and (p.channel = 'cash' or h.name is not null) then (
        select bool_or(c.actor in (coalesce(h.clerk, ''), coalesce(t.actor, '')))
        from trace_row c left join trace_row t on t.assessment = c.assessment and t.intent = e.intent and t.kind = 'payment_intent.update'
          and t.detail ->> 'to' = 'Confirmed' and p.channel = 'cash'
          and t.at >= p.created_at - interval '1 day' and t.at < p.created_at + interval '1 day'
        where c.assessment = a.name and c.kind = 'assessment.update' and c.detail ->> 'to' = 'Cancelled'
          and c.at >= a.cancelled_at - interval '1 day' and c.at < a.cancelled_at + interval '1 day') end as same_hand,
      null::bigint as person
    from payment_event e join payment_event p on p.intent = e.intent and p.mda = e.mda and p.kind = 'payment'
    join assessment a on a.name = e.assessment left join counter_shift h on h.name = a.shift
    where e.kind = 'reversal'
    union all
    select a.name, 'CNL-' || left(encode(sha256(convert_to(s.salt || ' ' || a.name || ' ' || l.mda, 'utf8')), 'hex'), 24), 'cancellation', l.mda,
      sum(l.amount), a.currency, null, a.cancelled_at, null, h.mda, h.counter_label, coalesce(a.cancel_reason, '') <> '', null,
      person_number(s.salt, ' cancelled ' || to_char(a.cancelled_at at time zone 'utc', 'YYYYMM'), a.citizen)
    from assessment a join assessment_line l on l.assessment = a.name left join counter_shift h on h.name = a.shift cross join oversight_salt s
    where a.cancelled_at is not null and a.paid_at is null and a.assessed_at is not null
      and not exists (select from assessment b where b.replaces = a.name)
    group by a.name, l.mda, h.mda, h.counter_label, s.salt
  ) c join agency_calendar z on z.mda = c.mda left join first_waiting w on w.document = c.document and w.intent is null;
