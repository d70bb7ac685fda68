-- Shifts and anomalies counted by month: auditors ask of years of them. A change queues its month, which a job counts anew; until then
-- questions count it themselves.
create table anomaly_tail (id bigint generated always as identity primary key, month date not null);
create table anomaly_sum (
  month date not null,
  kind text not null,
  severity text not null,
  status anomaly_status not null,
  -- Counted once for each agency that it concerns (none: an empty one), or once at all, of an empty one.
  by_agency boolean not null,
  mda text not null,
  count integer not null,
  oldest timestamptz(3) not null,
  newest timestamptz(3) not null,
  primary key (month, kind, severity, status, by_agency, mda)
);
create table shift_tail (id bigint generated always as identity primary key, mda text not null, month date not null);
-- Closed shifts by the counter: whether it is told of, and which clerks had how many variances there if it is. The clerks, those with
-- shortages and those with surpluses are the agency's.
create table shift_sum (
  month date not null,
  mda text not null,
  currency text not null,
  counter text not null,
  shifts integer not null,
  with_variance integer not null,
  expected_cash numeric(38, 4) not null,
  variance numeric(38, 4) not null,
  variance_squared numeric(60, 8) not null,
  lowest numeric(19, 4) not null,
  highest numeric(19, 4) not null,
  pending integer not null,
  approved integer not null,
  rejected integer not null,
  escalated integer not null,
  told boolean not null,
  by_person jsonb not null,
  people integer not null,
  people_short integer not null,
  people_over integer not null,
  primary key (month, mda, currency, counter)
);

-- Whatever writes: bulk loads that switch other triggers off are noticed too.
create function queue_anomaly_months() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into anomaly_tail (month) select distinct date_trunc('month', raised_at at time zone 'utc')::date from added;
  else
    insert into anomaly_tail (month)
      select date_trunc('month', raised_at at time zone 'utc')::date from added
      union select date_trunc('month', raised_at at time zone 'utc')::date from removed;
  end if;
  return null;
end $$;
create trigger queue_anomaly_months after insert on anomaly referencing new table as added for each statement execute function queue_anomaly_months();
create trigger queue_anomaly_months_anew after update on anomaly referencing old table as removed new table as added
  for each statement execute function queue_anomaly_months();
alter table anomaly enable always trigger queue_anomaly_months, enable always trigger queue_anomaly_months_anew;

create function queue_shift_months() returns trigger language plpgsql as $$
begin
  insert into shift_tail (mda, month)
    select distinct mda, date_trunc('month', closed_at at time zone 'utc')::date from added where status = 'Closed';
  return null;
end $$;
create function queue_shift_months_anew() returns trigger language plpgsql as $$
begin
  insert into shift_tail (mda, month)
    select distinct mda, date_trunc('month', closed_at at time zone 'utc')::date
    from (values (old.mda, old.closed_at, old.status), (new.mda, new.closed_at, new.status)) v (mda, closed_at, status) where status = 'Closed';
  return null;
end $$;
create trigger queue_shift_months after insert on counter_shift referencing new table as added for each statement execute function queue_shift_months();
-- Not while payments are counted in it.
create trigger queue_shift_months_anew after update on counter_shift for each row
  when ((old.status = 'Closed' or new.status = 'Closed') and
    (old.status, old.mda, old.closed_at, old.currency, old.clerk, old.counter_label, old.opening_float, old.cash_collected, old.variance, old.variance_status)
    is distinct from
    (new.status, new.mda, new.closed_at, new.currency, new.clerk, new.counter_label, new.opening_float, new.cash_collected, new.variance, new.variance_status))
  execute function queue_shift_months_anew();
alter table counter_shift enable always trigger queue_shift_months, enable always trigger queue_shift_months_anew;

-- All that there is waits: a job counts it.
insert into anomaly_tail (month) select distinct date_trunc('month', raised_at at time zone 'utc')::date from anomaly order by 1;
insert into shift_tail (mda, month)
  select distinct mda, date_trunc('month', closed_at at time zone 'utc')::date from counter_shift where status = 'Closed' order by 2, 1;

create view oversight.anomaly_sum as select * from anomaly_sum;
create view oversight.anomaly_waiting as select distinct month from anomaly_tail;
create view oversight.shift_sum as select * from shift_sum;
create view oversight.shift_waiting as select distinct mda, month from shift_tail;
grant select on oversight.anomaly_sum, oversight.anomaly_waiting, oversight.shift_sum, oversight.shift_waiting to rail_oversight;
drop function oversight.shifts(date, date, integer);
-- The shift of each is looked up, however many shifts there are.
create or replace view oversight.counter_anomaly as
  select a.raised_at, a.status, s.mda, coalesce(s.counter_label, '') as counter, s.currency, s.variance
  from anomaly a cross join lateral (select * from counter_shift s where s.name = a.subject offset 0) s where a.kind = 'cash_variance';
