-- Evidence shows only members that are named here, which lead to nobody.
create or replace view oversight.anomaly as
  select s.position, a.name, a.kind, a.mda, a.severity, a.status, a.raised_at, (
    select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(a.evidence) e where e.key in (
      'amount', 'currency', 'channel', 'events', 'expected', 'counted', 'variance', 'collected_amount', 'collected_currency', 'assessment_status',
      'intent_status', 'outcome', 'statement_amount', 'statement_currency', 'recorded_amount', 'recorded_currency', 'paid_at', 'day', 'rate',
      'cancelled', 'collections', 'payments', 'usual', 'usual_rate', 'deviations', 'threshold', 'thresholds', 'from_hour', 'to_hour', 'first_missing',
      'last_sequence', 'sealed')) as evidence,
    a.mdas
  from oversight_stream s join anomaly a on a.name = s.subject where s.kind = 'anomaly';
