-- How many notifications of integrators and agencies there are of each day, and how far they came: auditors ask of years of them. Triggers
-- write down what changes, which a job adds up; until then it is laid beside the sums.
create table notification_tail (
  id bigint generated always as identity primary key,
  kind text not null,
  day date not null,
  status text not null,
  change integer not null
);
create table notification_day (
  -- Webhook deliveries, or payments of which an agency is told.
  kind text not null check (kind in ('webhook', 'propagation')),
  -- By the clock of UTC.
  day date not null,
  status text not null,
  count integer not null,
  primary key (kind, day, status)
);

create function count_deliveries() returns trigger language plpgsql as $$
begin
  insert into notification_tail (kind, day, status, change)
    select 'webhook', (created_at at time zone 'utc')::date, status, case tg_op when 'INSERT' then count(*) else -count(*) end
    from changed group by 2, 3;
  return null;
end $$;
create function count_delivery_anew() returns trigger language plpgsql as $$
begin
  insert into notification_tail (kind, day, status, change) values
    ('webhook', (old.created_at at time zone 'utc')::date, old.status, -1), ('webhook', (new.created_at at time zone 'utc')::date, new.status, 1);
  return null;
end $$;
create trigger count_deliveries after insert on webhook_delivery referencing new table as changed
  for each statement execute function count_deliveries();
create trigger count_deliveries_less after delete on webhook_delivery referencing old table as changed
  for each statement execute function count_deliveries();
create trigger count_delivery_anew after update on webhook_delivery for each row
  when ((old.status, old.created_at) is distinct from (new.status, new.created_at)) execute function count_delivery_anew();

-- What an agency rejected is as dead as what did not reach it.
create function count_propagations() returns trigger language plpgsql as $$
begin
  insert into notification_tail (kind, day, status, change)
    select 'propagation', (created_at at time zone 'utc')::date, case status when 'rejected' then 'dead' else status end,
      case tg_op when 'INSERT' then count(*) else -count(*) end
    from changed where kind = 'payment' group by 2, 3;
  return null;
end $$;
create function count_propagation_anew() returns trigger language plpgsql as $$
begin
  insert into notification_tail (kind, day, status, change)
    select 'propagation', (created_at at time zone 'utc')::date, case status when 'rejected' then 'dead' else status end, change
    from (values (old.kind, old.created_at, old.status, -1), (new.kind, new.created_at, new.status, 1)) v (kind, created_at, status, change)
    where kind = 'payment';
  return null;
end $$;
create trigger count_propagations after insert on propagation referencing new table as changed
  for each statement execute function count_propagations();
create trigger count_propagations_less after delete on propagation referencing old table as changed
  for each statement execute function count_propagations();
create trigger count_propagation_anew after update on propagation for each row
  when ((old.kind, old.status, old.created_at) is distinct from (new.kind, new.status, new.created_at)) execute function count_propagation_anew();

-- Whatever writes: bulk loads that switch other triggers off are noticed too.
alter table webhook_delivery enable always trigger count_deliveries, enable always trigger count_deliveries_less,
  enable always trigger count_delivery_anew;
alter table propagation enable always trigger count_propagations, enable always trigger count_propagations_less,
  enable always trigger count_propagation_anew;

-- What there is: whoever would write more waits for the triggers.
insert into notification_day
  select 'webhook', (created_at at time zone 'utc')::date, status, count(*) from webhook_delivery group by 2, 3;
insert into notification_day
  select 'propagation', (created_at at time zone 'utc')::date, case status when 'rejected' then 'dead' else status end, count(*)
  from propagation where kind = 'payment' group by 2, 3;

create view oversight.notification_day as
  select kind, day, status, count from notification_day union all select kind, day, status, change from notification_tail;
grant select on oversight.notification_day to rail_oversight;
drop view oversight.delivery, oversight.propagation;
