-- An anomaly names all agencies that it concerns: an auditor who asks for one finds what was reversed or came late among its payments.
alter table anomaly add column mdas text[] not null default '{}';

-- Of what was raised before: those that its intent paid, or that its reversal took from, by share; first the one that it named already.
update anomaly a set mda = c.mdas[1], mdas = c.mdas
from (
  select n.name, array_agg(s.mda order by s.mda is not distinct from n.mda desc, s.amount desc, s.mda) as mdas
  from anomaly n
  cross join lateral (
    select p.mda, sum(p.amount) as amount
    from (
      select r.mda, r.amount from split_rule r where r.intent = n.subject
      union all
      select e.mda, -e.amount from payment_event e where e.assessment = n.subject and e.kind = 'reversal'
      union all
      select n.mda, 0 where n.mda is not null
    ) p
    group by p.mda
  ) s
  group by n.name
) c
where c.name = a.name;

create index anomaly_mdas_idx on anomaly using gin (mdas);

create or replace view oversight.anomaly as
  select s.position, a.name, a.kind, a.mda, a.severity, a.status, a.raised_at, (
    select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(a.evidence) e where e.key in (
      'amount', 'currency', 'channel', 'events', 'expected', 'counted', 'variance', 'collected_amount', 'collected_currency', 'assessment_status',
      'intent_status', 'outcome', 'statement_amount', 'statement_currency', 'recorded_amount', 'recorded_currency', 'paid_at', 'day', 'rate',
      'cancelled', 'collections', 'payments', 'usual', 'usual_rate', 'deviations', 'threshold', 'thresholds', 'from_hour', 'to_hour', 'first_missing',
      'last_sequence', 'sealed')) as evidence,
    a.mdas
  from oversight_stream s join anomaly a on a.name = s.subject where s.kind = 'anomaly';
