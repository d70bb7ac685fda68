-- Reversals and cancellations, as they are told of: auditors ask of years of them. A change queues its assessment, whose rows a job makes
-- anew; until then questions make them themselves.
create table cancelled_tail (id bigint generated always as identity primary key, assessment text not null);
create table cancelled (
  assessment text not null,
  name text primary key,
  kind text not null,
  mda text not null,
  amount numeric(38, 4) not null,
  currency text not null,
  channel channel,
  cancelled_at timestamptz(3) not null,
  paid_at timestamptz(3),
  counter_mda text,
  counter text,
  explained boolean not null,
  same_hand boolean,
  -- Of a cancellation: another number of the same person in each month.
  person bytea
);
create index cancelled_assessment_idx on cancelled (assessment);
create index cancelled_cancelled_at_idx on cancelled (cancelled_at);

-- What was `oversight.cancellation`, with demands of nothing, and with whose they were.
create view cancellation_live as
  select e.assessment, e.name, 'reversal' as kind, e.mda, -e.amount as amount, e.currency, e.channel, e.occurred_at as cancelled_at,
    p.occurred_at as paid_at, s.mda as counter_mda, s.counter_label as counter, coalesce(a.cancel_reason, '') <> '' as explained,
    case when p.channel = 'cash' or s.name is not null then (
      select bool_or(c.actor in (coalesce(s.clerk, ''), coalesce(t.actor, '')))
      from trace_row c left join trace_row t on t.assessment = c.assessment and t.intent = e.intent and t.kind = 'payment_intent.update'
        and t.detail ->> 'to' = 'Confirmed' and p.channel = 'cash'
        and t.at >= p.created_at - interval '1 day' and t.at < p.created_at + interval '1 day'
      where c.assessment = a.name and c.kind = 'assessment.update' and c.detail ->> 'to' = 'Cancelled'
        and c.at >= a.cancelled_at - interval '1 day' and c.at < a.cancelled_at + interval '1 day') end as same_hand,
    null::bytea as person
  from payment_event e join payment_event p on p.intent = e.intent and p.mda = e.mda and p.kind = 'payment'
  join assessment a on a.name = e.assessment left join counter_shift s on s.name = a.shift
  where e.kind = 'reversal'
  union all
  select a.name, 'CNL-' || left(encode(sha256(convert_to(q.salt || ' ' || a.name || ' ' || l.mda, 'utf8')), 'hex'), 24), 'cancellation', l.mda, sum(l.amount), a.currency, null, a.cancelled_at, null, s.mda,
    s.counter_label, coalesce(a.cancel_reason, '') <> '', null,
    substr(sha256(convert_to(q.salt || ' cancelled ' || to_char(a.cancelled_at at time zone 'utc', 'YYYYMM') || a.citizen, 'UTF8')), 1, 8)
  from assessment a join assessment_line l on l.assessment = a.name left join counter_shift s on s.name = a.shift cross join oversight_salt q
  where a.cancelled_at is not null and a.paid_at is null and a.assessed_at is not null
  group by a.name, l.mda, s.mda, s.counter_label, q.salt;

-- Whatever writes: bulk loads that switch other triggers off are noticed too.
create function queue_cancelled() returns trigger language plpgsql as $$
begin
  insert into cancelled_tail (assessment) values (case when tg_op = 'DELETE' then old.name else new.name end);
  return null;
end $$;
create function queue_reversed() returns trigger language plpgsql as $$
begin
  insert into cancelled_tail (assessment) values (new.assessment);
  return null;
end $$;
create function queue_cancelled_in_shift() returns trigger language plpgsql as $$
begin
  insert into cancelled_tail (assessment) select name from assessment where shift = new.name and cancelled_at is not null;
  return null;
end $$;
create trigger queue_cancelled after insert on assessment for each row when (new.cancelled_at is not null) execute function queue_cancelled();
create trigger queue_cancelled_anew after update on assessment for each row
  when ((old.cancelled_at is not null or new.cancelled_at is not null) and
    (old.cancelled_at, old.paid_at, old.assessed_at, old.currency, old.shift, old.cancel_reason, old.citizen)
    is distinct from (new.cancelled_at, new.paid_at, new.assessed_at, new.currency, new.shift, new.cancel_reason, new.citizen))
  execute function queue_cancelled();
create trigger queue_cancelled_gone after delete on assessment for each row when (old.cancelled_at is not null) execute function queue_cancelled();
create trigger queue_reversed after insert on payment_event for each row when (new.kind = 'reversal') execute function queue_reversed();
create trigger queue_cancelled_in_shift after update on counter_shift for each row
  when ((old.mda, old.counter_label, old.clerk) is distinct from (new.mda, new.counter_label, new.clerk))
  execute function queue_cancelled_in_shift();
alter table assessment enable always trigger queue_cancelled, enable always trigger queue_cancelled_anew, enable always trigger queue_cancelled_gone;
alter table payment_event enable always trigger queue_reversed;
alter table counter_shift enable always trigger queue_cancelled_in_shift;

-- All that there is waits: a job makes its rows.
insert into cancelled_tail (assessment) select name from assessment where cancelled_at is not null;

drop view oversight.cancellation;
drop view oversight.cancelled_demand;
create view oversight.cancellation as
  select c.name, c.kind, c.mda, c.amount, c.currency, c.channel, c.cancelled_at, c.paid_at, c.counter_mda, c.counter, c.explained, c.same_hand
  from (
    select * from cancelled f where not exists (select from cancelled_tail w where w.assessment = f.assessment)
    union all
    select l.* from (select distinct assessment from cancelled_tail) w
    cross join lateral (select * from cancellation_live l where l.assessment = w.assessment offset 0) l
  ) c where c.kind = 'reversal' or c.amount > 0;
create view oversight.cancelled_demand as
  select c.cancelled_at, date_trunc('month', c.cancelled_at at time zone 'utc')::date as month, c.mda, c.currency, c.person
  from (
    select f.cancelled_at, f.mda, f.currency, f.person, f.kind from cancelled f
    where not exists (select from cancelled_tail w where w.assessment = f.assessment)
    union all
    select l.cancelled_at, l.mda, l.currency, l.person, l.kind from (select distinct assessment from cancelled_tail) w
    cross join lateral (select * from cancellation_live l where l.assessment = w.assessment offset 0) l
  ) c where c.kind = 'cancellation';
grant select on oversight.cancellation, oversight.cancelled_demand to rail_oversight;
