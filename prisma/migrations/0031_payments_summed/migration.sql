-- Sums for what was added up from each payment: pieces, by service; sizes, by amount; and what each provider collected. Those of before are
-- made in the course of this migration; nobody may fold meanwhile.
select pg_advisory_xact_lock(7283004);

-- The pieces of a service that a part pays for; beside an event that no line explains, none.
alter table revenue_part add column quantity integer not null default 0;
alter table service_revenue_daily add column sold bigint not null default 0, add column returned bigint not null default 0;
alter table service_revenue_monthly add column sold bigint not null default 0, add column returned bigint not null default 0;
create or replace view event_share as
  select e.name as event, coalesce(s.service, '') as service, e.occurred_at, e.occurred_at at time zone z.time_zone as local_at, e.mda, e.channel,
    e.currency, e.kind, coalesce(s.share, e.amount) as amount, coalesce(s.leads, true) as leads,
    case when a.shift is not null then 'counter' when e.integrator is not null then 'integrator' else 'other' end as station,
    case when a.shift is not null then concat_ws(' ', h.mda, nullif(trim(h.counter_label), '')) end as counter, e.integrator,
    coalesce(s.quantity, 0)::integer as quantity
  from payment_event e
  join agency_calendar z on z.mda = e.mda
  left join assessment a on a.name = e.assessment
  left join counter_shift h on h.name = a.shift
  left join lateral (
    select q.service, q.leads, q.quantity,
      round(e.amount * q.upto / q.whole, q.digits) - round(e.amount * (q.upto - q.amount) / q.whole, q.digits) as share
    from (
      select l.service, sum(l.amount) as amount, sum(l.quantity) as quantity, sum(sum(l.amount)) over (order by l.service) as upto,
        sum(sum(l.amount)) over () as whole, row_number() over (order by l.service) = 1 as leads,
        greatest(scale(trim_scale(e.amount)), max(max(scale(trim_scale(l.amount)))) over ()) as digits
      from assessment_line l where l.assessment = e.assessment and l.mda = e.mda group by l.service
    ) q where q.whole > 0
  ) s on true;
update revenue_part p set quantity = q.quantity
from payment_event e join (
  select assessment, mda, service, sum(quantity)::integer as quantity from assessment_line group by 1, 2, 3
) q on q.assessment = e.assessment and q.mda = e.mda
where e.name = p.event and q.service = p.service;

-- How many payments of an amount an agency got in a month: of one UTC month and of one of the agency's country.
create table payment_size_monthly (
  day date not null,
  local_day date not null,
  mda text not null,
  channel channel not null,
  currency text not null,
  amount numeric(19, 4) not null,
  payments integer not null,
  primary key (day, local_day, mda, channel, currency, amount)
);

-- What a provider collected on a UTC day.
create table collected_daily (
  day date not null,
  provider text not null,
  currency text not null,
  amount numeric(24, 4) not null,
  primary key (day, provider, currency)
);
insert into collected_daily (day, provider, currency, amount)
  select (e.occurred_at at time zone 'utc')::date, i.aggregator, e.currency, sum(e.amount)
  from payment_event e join payment_intent i on i.name = e.intent
  where e.kind = 'payment' and not exists (select from oversight_tail t where t.kind = 'payment_event' and t.subject = e.name)
  group by 1, 2, 3;

-- Makes the sums of some agencies anew, from what they are sums of.
create or replace function sum_revenue(agencies text[]) returns void language plpgsql as $$
begin
  delete from revenue_daily where mda = any(agencies);
  delete from revenue_monthly where mda = any(agencies);
  delete from service_revenue_daily where mda = any(agencies);
  delete from service_revenue_monthly where mda = any(agencies);
  delete from payment_size_monthly where mda = any(agencies);
  insert into revenue_daily (day, local_day, mda, channel, currency, collected, reversed, payments, reversals)
    select (occurred_at at time zone 'utc')::date, local_at::date, mda, channel, currency,
      coalesce(sum(amount) filter (where kind = 'payment'), 0), coalesce(-sum(amount) filter (where kind = 'reversal'), 0),
      count(*) filter (where leads and kind = 'payment'), count(*) filter (where leads and kind = 'reversal')
    from revenue_part where mda = any(agencies) group by 1, 2, 3, 4, 5;
  insert into revenue_monthly (day, local_day, mda, channel, currency, collected, reversed, payments, reversals)
    select date_trunc('month', day::timestamp)::date, date_trunc('month', local_day::timestamp)::date, mda, channel, currency,
      sum(collected), sum(reversed), sum(payments), sum(reversals)
    from revenue_daily where mda = any(agencies) group by 1, 2, 3, 4, 5;
  insert into service_revenue_daily (day, local_day, mda, service, channel, currency, collected, reversed, payments, reversals, sold, returned)
    select (occurred_at at time zone 'utc')::date, local_at::date, mda, service, channel, currency,
      coalesce(sum(amount) filter (where kind = 'payment'), 0), coalesce(-sum(amount) filter (where kind = 'reversal'), 0),
      count(*) filter (where kind = 'payment'), count(*) filter (where kind = 'reversal'),
      coalesce(sum(quantity) filter (where kind = 'payment'), 0), coalesce(sum(quantity) filter (where kind = 'reversal'), 0)
    from revenue_part where mda = any(agencies) group by 1, 2, 3, 4, 5, 6;
  insert into service_revenue_monthly (day, local_day, mda, service, channel, currency, collected, reversed, payments, reversals, sold, returned)
    select date_trunc('month', day::timestamp)::date, date_trunc('month', local_day::timestamp)::date, mda, service, channel, currency,
      sum(collected), sum(reversed), sum(payments), sum(reversals), sum(sold), sum(returned)
    from service_revenue_daily where mda = any(agencies) group by 1, 2, 3, 4, 5, 6;
  -- The parts of an event are the whole of it.
  insert into payment_size_monthly (day, local_day, mda, channel, currency, amount, payments)
    select day, local_day, mda, channel, currency, amount, count(*)
    from (
      select date_trunc('month', occurred_at at time zone 'utc')::date as day, date_trunc('month', local_at)::date as local_day, mda, channel,
        currency, sum(amount) as amount
      from revenue_part where mda = any(agencies) and kind = 'payment' group by event, 1, 2, 3, 4, 5
    ) e
    group by 1, 2, 3, 4, 5, 6;
end $$;
select sum_revenue((select coalesce(array_agg(name), '{}') from mda));

create or replace view oversight.service_revenue_daily as select * from service_revenue_daily;
create or replace view oversight.service_revenue_monthly as select * from service_revenue_monthly;
create or replace view oversight.part_tail as
  select (s.occurred_at at time zone 'utc')::date as day, s.local_at::date as local_day, s.occurred_at, s.local_at, s.mda, s.service, s.channel,
    s.currency, s.kind, s.amount, s.leads, s.station, s.counter, s.integrator, s.quantity
  from oversight_tail t cross join lateral (select * from event_share s where s.event = t.subject offset 0) s where t.kind = 'payment_event';
create view oversight.payment_size_monthly as select * from payment_size_monthly;
drop view oversight.piece;
-- What each provider collected on each UTC day, what is not yet added up with it.
drop view oversight.collected;
create view oversight.collected as
  select day, provider, currency, amount from collected_daily
  union all
  select (e.occurred_at at time zone 'utc')::date, i.aggregator, e.currency, e.amount
  from oversight_tail t cross join lateral (select * from payment_event e where e.name = t.subject offset 0) e
  join payment_intent i on i.name = e.intent where t.kind = 'payment_event' and e.kind = 'payment';
grant select on oversight.payment_size_monthly, oversight.collected to rail_oversight;
