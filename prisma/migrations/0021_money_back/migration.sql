-- What auditors ask of money that went back, of targets, and of anomalies that nobody has resolved.

create index payment_event_reversal_idx on payment_event (occurred_at) where kind = 'reversal';
create index assessment_cancelled_at_idx on assessment (cancelled_at) where cancelled_at is not null;

-- Each payment that was reversed, and each demand that was cancelled before it was paid: by agency, without whom it was about, and
-- without the words of whoever cancelled it. `same_hand` is whether who took the money over a counter is who reversed it.
create view oversight.cancellation as
  select e.name, 'reversal' as kind, e.mda, -e.amount as amount, e.currency, e.channel, e.occurred_at as cancelled_at,
    p.occurred_at as paid_at, s.mda as counter_mda, s.counter_label as counter, coalesce(a.cancel_reason, '') <> '' as explained,
    case when p.channel = 'cash' or s.name is not null then (
      select bool_or(c.actor in (coalesce(s.clerk, ''), coalesce(t.actor, '')))
      from trace_row c left join trace_row t on t.assessment = c.assessment and t.intent = e.intent and t.kind = 'payment_intent.update'
        and t.detail ->> 'to' = 'Confirmed' and p.channel = 'cash'
      where c.assessment = a.name and c.kind = 'assessment.update' and c.detail ->> 'to' = 'Cancelled') end as same_hand
  from payment_event e join payment_event p on p.intent = e.intent and p.mda = e.mda and p.kind = 'payment'
  join assessment a on a.name = e.assessment left join counter_shift s on s.name = a.shift
  where e.kind = 'reversal'
  union all
  select 'CNL-' || left(encode(sha256(convert_to(q.salt || ' ' || a.name || ' ' || l.mda, 'utf8')), 'hex'), 24), 'cancellation', l.mda, sum(l.amount), a.currency, null, a.cancelled_at, null, s.mda,
    s.counter_label, coalesce(a.cancel_reason, '') <> '', null
  from assessment a join assessment_line l on l.assessment = a.name left join counter_shift s on s.name = a.shift cross join oversight_salt q
  where a.cancelled_at is not null and a.paid_at is null and a.assessed_at is not null
  group by a.name, l.mda, a.currency, a.cancelled_at, s.mda, s.counter_label, a.cancel_reason, q.salt having sum(l.amount) > 0;

-- What an agency is to collect in a fiscal year.
create table revenue_target (
  mda text not null references mda (name),
  fiscal_year text not null check (fiscal_year ~ '^\d{4}(/\d{2})?$'),
  currency text not null,
  amount numeric(19, 4) not null check (amount > 0),
  set_at timestamptz(3) not null,
  set_by text not null,
  primary key (mda, fiscal_year, currency)
);
create view oversight.target as select mda, fiscal_year, currency, amount from revenue_target;

-- Anomalies to be counted, as they stand at this moment.
create index anomaly_open_idx on anomaly (raised_at) where status = 'Open';
create view oversight.anomaly_standing as select kind, severity, status, mdas, raised_at from anomaly;

grant select on oversight.cancellation, oversight.target, oversight.anomaly_standing to rail_oversight;
