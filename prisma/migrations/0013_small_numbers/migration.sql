-- Figures about people are told of whole months, and of those months alone in which they are about enough of them. What is left out of a
-- month is left out of every span that it lies in, so that no difference of two spans is about fewer.

drop view oversight.shift;
drop view oversight.consent;
drop view oversight.intent;
drop function oversight.collections(date, date, integer);

-- What was assessed in the months of a span, by agency. `fewest` is how many payers a month needs to be told of; how long they took is
-- told of the months in which as many paid.
create function oversight.collections(from_day date, to_day date, fewest integer)
returns table (
  mda text, currency text, assessments bigint, assessed numeric, paid numeric, outstanding numeric, cancelled numeric,
  seconds_p50 double precision, seconds_p90 double precision, seconds_p99 double precision
) language sql stable security definer set search_path = public as $$
  with assessed as (
    select a.name, a.citizen, a.currency, a.status, date_trunc('month', a.assessed_at at time zone 'utc') as month,
      extract(epoch from a.paid_at - a.assessed_at)::double precision as seconds
    from assessment a
    where a.assessed_at >= date_trunc('month', from_day::timestamp) at time zone 'utc'
      and a.assessed_at < (date_trunc('month', to_day::timestamp) + interval '1 month') at time zone 'utc'
  ), owed as (
    select l.mda, a.name, a.citizen, a.currency, a.status, a.month, a.seconds, sum(l.amount) as amount
    from assessed a join assessment_line l on l.assessment = a.name group by l.mda, a.name, a.citizen, a.currency, a.status, a.month, a.seconds
  ), told as (
    select mda, currency, month, count(distinct citizen) filter (where seconds is not null) >= fewest as enough_paid
    from owed group by mda, currency, month having count(distinct citizen) >= fewest
  ), counted as (
    select o.mda, o.currency, count(*) as assessments, sum(o.amount) as assessed,
      coalesce(sum(o.amount) filter (where o.status = 'Paid'), 0) as paid, coalesce(sum(o.amount) filter (where o.status = 'Assessed'), 0) as outstanding,
      coalesce(sum(o.amount) filter (where o.status = 'Cancelled'), 0) as cancelled,
      percentile_cont(array[0.5, 0.9, 0.99]) within group (order by case when t.enough_paid then o.seconds end) as seconds
    from owed o join told t using (mda, currency, month) group by o.mda, o.currency
  )
  select k.mda, k.currency, c.assessments, c.assessed, c.paid, c.outstanding, c.cancelled, c.seconds[1], c.seconds[2], c.seconds[3]
  from (select distinct mda, currency from owed) k left join counted c using (mda, currency)
$$;

-- How the closed shifts of the months of a span came out, by agency. `fewest` is how many clerks a month needs to be told of; the largest
-- shortage and surplus are told of the months in which as many had one.
create function oversight.shifts(from_day date, to_day date, fewest integer)
returns table (
  mda text, currency text, shifts bigint, with_variance bigint, expected_cash numeric, variance numeric, mean_variance numeric, standard_deviation numeric,
  largest_shortage numeric, largest_surplus numeric, pending bigint, approved bigint, rejected bigint, escalated bigint
) language sql stable security definer set search_path = public as $$
  with closed as (
    select s.mda, s.currency, s.clerk, s.expected_cash, s.variance, s.variance_status, date_trunc('month', s.closed_at at time zone 'utc') as month
    from counter_shift s
    where s.status = 'Closed' and s.closed_at >= date_trunc('month', from_day::timestamp) at time zone 'utc'
      and s.closed_at < (date_trunc('month', to_day::timestamp) + interval '1 month') at time zone 'utc'
  ), told as (
    select mda, currency, month, count(distinct clerk) filter (where variance < 0) >= fewest as enough_short,
      count(distinct clerk) filter (where variance > 0) >= fewest as enough_over
    from closed group by mda, currency, month having count(distinct clerk) >= fewest
  ), counted as (
    select c.mda, c.currency, count(*) as shifts, count(*) filter (where c.variance <> 0) as with_variance, sum(c.expected_cash) as expected_cash,
      sum(c.variance) as variance, avg(c.variance) as mean_variance, stddev_samp(c.variance) as standard_deviation,
      -min(c.variance) filter (where t.enough_short and c.variance < 0) as largest_shortage,
      max(c.variance) filter (where t.enough_over and c.variance > 0) as largest_surplus,
      count(*) filter (where c.variance_status = 'Pending') as pending, count(*) filter (where c.variance_status = 'Approved') as approved,
      count(*) filter (where c.variance_status = 'Rejected') as rejected, count(*) filter (where c.variance_status = 'Escalated') as escalated
    from closed c join told t using (mda, currency, month) group by c.mda, c.currency
  )
  select k.mda, k.currency, c.shifts, c.with_variance, c.expected_cash, c.variance, c.mean_variance, c.standard_deviation, c.largest_shortage,
    c.largest_surplus, c.pending, c.approved, c.rejected, c.escalated
  from (select distinct mda, currency from closed) k left join counted c using (mda, currency)
$$;

-- How attempts to pay went in the months of a span, by channel. `fewest` is how many payers a month needs to be told of.
create function oversight.attempts(from_day date, to_day date, fewest integer)
returns table (channel channel, confirmed bigint, failed bigint, expired bigint, open bigint)
language sql stable security definer set search_path = public as $$
  with attempt as (
    select i.channel, i.status, a.citizen, date_trunc('month', i.created_at at time zone 'utc') as month
    from payment_intent i join assessment a on a.name = i.assessment
    where i.status <> 'Pending' and i.created_at >= date_trunc('month', from_day::timestamp) at time zone 'utc'
      and i.created_at < (date_trunc('month', to_day::timestamp) + interval '1 month') at time zone 'utc'
  ), told as (
    select channel, month from attempt group by channel, month having count(distinct citizen) >= fewest
  )
  select channel, count(*) filter (where status = 'Confirmed'), count(*) filter (where status = 'Failed'), count(*) filter (where status = 'Expired'),
    count(*) filter (where status = 'Sent')
  from attempt join told using (channel, month) group by channel
$$;

-- On how many people's first consent for an agency each day of a span brought. Whoever shows it leaves out what is about few.
create function oversight.consents(from_day date, to_day date)
returns table (mda text, day date, people bigint)
language sql stable security definer set search_path = public as $$
  select c.mda, (c.created_at at time zone 'utc')::date, count(*) from consent_event c
  where c.created_at >= from_day::timestamp at time zone 'utc' and c.created_at < (to_day + 1)::timestamp at time zone 'utc'
    and not exists (
      select from consent_event b where b.citizen = c.citizen and b.mda is not distinct from c.mda and (b.created_at, b.name) < (c.created_at, c.name))
  group by 1, 2
$$;
create index consent_event_citizen_idx on consent_event (citizen);

revoke all on function oversight.collections(date, date, integer), oversight.shifts(date, date, integer), oversight.attempts(date, date, integer),
  oversight.consents(date, date) from public;
grant execute on function oversight.collections(date, date, integer), oversight.shifts(date, date, integer), oversight.attempts(date, date, integer),
  oversight.consents(date, date) to rail_oversight;
