-- What auditors ask of counters, of daily closes and of settlement.

-- Closed shifts as figures are made of them. A clerk has a number in each agency, which is good for counting and for nothing else; the day
-- is that of the agency's country.
create view oversight.closed_shift as
  select s.closed_at, date_trunc('month', s.closed_at at time zone 'utc')::date as month,
    (s.closed_at at time zone coalesce(c.time_zone, 'UTC'))::date as day,
    substr(sha256(convert_to((select salt from oversight_salt) || ' shift ' || s.mda || ' ' || s.clerk, 'UTF8')), 1, 8) as person,
    s.mda, coalesce(s.counter_label, '') as counter, s.currency, s.expected_cash, s.cash_counted, s.variance, s.variance_status
  from counter_shift s join mda m on m.name = s.mda left join country c on c.code = m.country
  where s.status = 'Closed';

-- Material variances, each of which is an anomaly that oversight sees anyway, with the counter that it was found at.
create view oversight.counter_anomaly as
  select a.raised_at, a.status, s.mda, coalesce(s.counter_label, '') as counter, s.currency, s.variance
  from anomaly a join counter_shift s on s.name = a.subject where a.kind = 'cash_variance';

-- Statements of providers as they were compared with what is recorded, and what came of their rows, without what names a payment. A
-- statement that was compared again counts as it was compared last.
create view oversight.settlement as
  select r.name, r.created_at, r.provider, r.from_at, r.to_at, r.rerun_of, r.ignored, r.matched, r.missing_here, r.missing_there,
    r.amount_differs, r.duplicate, not exists (
      select from reconciliation_run n
      where n.source_hash = r.source_hash and n.provider = r.provider and (n.created_at, n.name) > (r.created_at, r.name)) as latest
  from reconciliation_run r;
create view oversight.settlement_item as
  select run, outcome, statement_amount, coalesce(statement_currency, recorded_currency) as currency, recorded_amount, recorded_currency
  from reconciliation_item;
create index reconciliation_run_source_hash_idx on reconciliation_run (source_hash);

-- What is recorded as collected, by who collected it.
create view oversight.collected as
  select e.occurred_at, i.aggregator as provider, e.currency, e.amount
  from payment_event e join payment_intent i on i.name = e.intent where e.kind = 'payment';

grant select on oversight.closed_shift, oversight.counter_anomaly, oversight.settlement, oversight.settlement_item, oversight.collected
  to rail_oversight;
