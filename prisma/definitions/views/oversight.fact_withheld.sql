-- Fees of payments that statements of providers have, each once, whichever of them have it: that of the first. Agencies bear it by their
-- shares, no finer than it is.
create or replace view oversight.fact_withheld as
  select p.run as document, p.mda, p.provider, p.currency, p.occurred_at at time zone 'utc' as occurred_at,
    (p.occurred_at at time zone z.time_zone)::date as local_day, sum(p.amount) as amount
  from (
    select f.run, e.mda, f.provider, e.currency, e.occurred_at,
      round(f.amount * sum(e.amount) over before / sum(e.amount) over whole, f.digits)
        - round(f.amount * (sum(e.amount) over before - e.amount) / sum(e.amount) over whole, f.digits) as amount
    from (
      select i.name, i.run, n.provider, i.intent, i.statement_currency as currency, abs(i.statement_amount) as amount,
        scale(trim_scale(i.statement_amount)) as digits
      from reconciliation_item i join reconciliation_run n on n.name = i.run
      where i.outcome = 'fee' and i.intent is not null and not exists (
        select from reconciliation_item o join reconciliation_run m on m.name = o.run
        where o.outcome = 'fee' and o.intent = i.intent and m.provider = n.provider and o.reference = i.reference
          and o.txn_id is not distinct from i.txn_id and o.statement_amount = i.statement_amount
          and (m.created_at, o.name) < (n.created_at, i.name))
    ) f join payment_event e on e.intent = f.intent and e.kind = 'payment' and e.currency = coalesce(f.currency, e.currency)
    where e.amount > 0
    window whole as (partition by f.name), before as (partition by f.name order by e.mda)
  ) p join agency_calendar z on z.mda = p.mda
  group by p.run, p.mda, p.provider, p.currency, p.occurred_at, z.time_zone;
