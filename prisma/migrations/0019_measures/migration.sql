-- What oversight measures beside revenue: assessments, attempts to pay, payers, sizes, pieces and registrations. Views show whom a row is
-- about as a number that is good for counting and for nothing else.

-- What people are numbered and documents named with that oversight may not see by their own names. Never shown, never changed.
create table oversight_salt (
  id smallint primary key default 1 check (id = 1),
  salt text not null
);
insert into oversight_salt (salt) values (replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));
create trigger append_only before update or delete or truncate on oversight_salt for each statement execute function refuse_rewriting();

-- What was assessed of each agency, and of each of its services. The person of a row has another number in each month, so that nobody is
-- followed from one to the next.
create view oversight.assessed as
  select 'DUE-' || left(encode(sha256(convert_to((select salt from oversight_salt) || ' ' || a.name || ' ' || l.mda, 'UTF8')), 'hex'), 24) as name,
    a.assessed_at, date_trunc('month', a.assessed_at at time zone 'utc')::date as month,
    substr(sha256(convert_to((select salt from oversight_salt) || to_char(a.assessed_at at time zone 'utc', 'YYYYMM') || a.citizen, 'UTF8')), 1, 8) as person,
    l.mda, a.currency, a.status, sum(l.amount) as amount, extract(epoch from a.paid_at - a.assessed_at)::double precision as seconds,
    (select i.channel from payment_intent i where i.assessment = a.name and i.status = 'Confirmed' order by i.confirmed_at, i.name limit 1) as channel
  from assessment a join assessment_line l on l.assessment = a.name
  where a.assessed_at is not null group by a.name, l.mda;
create view oversight.assessed_service as
  select a.assessed_at, date_trunc('month', a.assessed_at at time zone 'utc')::date as month,
    substr(sha256(convert_to((select salt from oversight_salt) || to_char(a.assessed_at at time zone 'utc', 'YYYYMM') || a.citizen, 'UTF8')), 1, 8) as person,
    l.mda, l.service, a.currency, a.status, sum(l.amount) as amount, extract(epoch from a.paid_at - a.assessed_at)::double precision as seconds,
    (select i.channel from payment_intent i where i.assessment = a.name and i.status = 'Confirmed' order by i.confirmed_at, i.name limit 1) as channel
  from assessment a join assessment_line l on l.assessment = a.name
  where a.assessed_at is not null group by a.name, l.mda, l.service;

-- Why a collection failed, from what its provider said: one of few causes, since providers say what they like, names and numbers too.
create function failure_cause(said text) returns text language sql immutable as $$
  select case
    when said ~ 'insufficient|not enough|low balance|no funds' then 'insufficient_funds'
    when said ~ 'limit' then 'limit_reached'
    when said ~ '\mpin\M|password|\motp\M' then 'wrong_pin'
    when said ~ 'declin|reject|cancel|not approved|not hono' then 'declined'
    when said ~ 'time(d)? ?out|did ?n.t enter|did not enter|no response|^expired$' then 'timed_out'
    when said ~ 'not found|invalid|unknown|expired card|not registered|inactive' then 'unknown_account'
    when said ~ 'not allowed|not permitted|restricted|blocked|barred|suspended|fraud' then 'not_permitted'
    when said ~ 'internal|unavailable|system|could not perform|error|service' then 'provider_error'
    else 'other'
  end
  from (select translate(lower(coalesce(said, '')), '_-', '  ')) spelled (said)
$$;

-- Attempts to pay, each of the agency that gets the largest part of it, so that each counts once.
create view oversight.attempt as
  select i.created_at, date_trunc('month', i.created_at at time zone 'utc')::date as month,
    substr(sha256(convert_to((select salt from oversight_salt) || to_char(i.created_at at time zone 'utc', 'YYYYMM') || a.citizen, 'UTF8')), 1, 8) as person,
    i.channel, coalesce((select r.mda from split_rule r where r.intent = i.name order by r.amount desc, r.mda limit 1), '') as mda, i.status,
    case i.status when 'Failed' then failure_cause(i.failure_reason) when 'Expired' then 'expired' end as cause
  from payment_intent i join assessment a on a.name = i.assessment
  where i.status <> 'Pending';

-- Payments as they are public: without whose they are.
create view oversight.event as select occurred_at, mda, channel, currency, kind, amount from payment_event;

-- What payments were for. `first` says that their payer had not paid this agency before this month.
create view oversight.paid as
  select e.occurred_at, date_trunc('month', e.occurred_at at time zone 'utc')::date as month, e.mda, e.channel,
    substr(sha256(convert_to((select salt from oversight_salt) || to_char(e.occurred_at at time zone 'utc', 'YYYYMM') || a.citizen, 'UTF8')), 1, 8) as person,
    not exists (
      select from assessment b join payment_event p on p.assessment = b.name
      where b.citizen = a.citizen and p.mda = e.mda and p.kind = 'payment'
        and p.occurred_at < date_trunc('month', e.occurred_at at time zone 'utc') at time zone 'utc') as first
  from payment_event e join assessment a on a.name = e.assessment
  where e.kind = 'payment';

-- The pieces that payments paid for; what was reversed counts back.
create view oversight.piece as
  select e.occurred_at, e.mda, l.service, e.channel, e.kind, l.quantity
  from payment_event e join assessment_line l on l.assessment = e.assessment and l.mda = e.mda;

-- How many people each day of a span were entered by hand: without the identity authority, and so without consent to ask it.
create function oversight.entered_by_hand(from_day date, to_day date)
returns table (day date, people bigint)
language sql stable security definer set search_path = public as $$
  select (c.created_at at time zone 'utc')::date, count(*) from citizen c
  where c.created_at >= from_day::timestamp at time zone 'utc' and c.created_at < (to_day + 1)::timestamp at time zone 'utc'
    and not exists (select from consent_event e where e.citizen = c.name)
  group by 1
$$;
revoke all on function oversight.entered_by_hand(date, date) from public;
grant execute on function oversight.entered_by_hand(date, date) to rail_oversight;
grant select on oversight.assessed, oversight.assessed_service, oversight.attempt, oversight.event, oversight.paid, oversight.piece to rail_oversight;

-- Events are only ever appended, in the order of their times: a few bytes for each megabyte find those of a span.
create index payment_event_occurred_at_idx on payment_event using brin (occurred_at) with (autosummarize = on);
