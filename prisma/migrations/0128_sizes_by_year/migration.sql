-- How many payments of an amount an agency got in each month of a year, a month a column: a question about many months reads a row for each
-- amount and year instead of one for each month. Whoever writes the sums of months moves these with them; nobody may fold meanwhile.
select pg_advisory_xact_lock(7283004);

create table payment_size_yearly (
  -- Whether months are those of the agency's country; otherwise of UTC.
  local boolean not null,
  year integer not null,
  mda text not null,
  channel channel not null,
  currency text not null,
  amount numeric(19, 4) not null,
  m1 integer not null, m2 integer not null, m3 integer not null, m4 integer not null, m5 integer not null, m6 integer not null,
  m7 integer not null, m8 integer not null, m9 integer not null, m10 integer not null, m11 integer not null, m12 integer not null,
  primary key (local, year, mda, channel, currency, amount)
);

-- Adds what sums of months have become more or less by.
create function add_sizes(moved payment_size_monthly[]) returns void language sql as $$
  insert into payment_size_yearly as y (local, year, mda, channel, currency, amount, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12)
  select local, extract(year from month), mda, channel, currency, amount,
    coalesce(sum(payments) filter (where extract(month from month) = 1), 0), coalesce(sum(payments) filter (where extract(month from month) = 2), 0),
    coalesce(sum(payments) filter (where extract(month from month) = 3), 0), coalesce(sum(payments) filter (where extract(month from month) = 4), 0),
    coalesce(sum(payments) filter (where extract(month from month) = 5), 0), coalesce(sum(payments) filter (where extract(month from month) = 6), 0),
    coalesce(sum(payments) filter (where extract(month from month) = 7), 0), coalesce(sum(payments) filter (where extract(month from month) = 8), 0),
    coalesce(sum(payments) filter (where extract(month from month) = 9), 0), coalesce(sum(payments) filter (where extract(month from month) = 10), 0),
    coalesce(sum(payments) filter (where extract(month from month) = 11), 0), coalesce(sum(payments) filter (where extract(month from month) = 12), 0)
  from unnest(moved) p cross join lateral (values (false, p.day), (true, p.local_day)) c (local, month)
  group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
  on conflict (local, year, mda, channel, currency, amount) do update set m1 = y.m1 + excluded.m1, m2 = y.m2 + excluded.m2, m3 = y.m3 + excluded.m3, m4 = y.m4 + excluded.m4, m5 = y.m5 + excluded.m5, m6 = y.m6 + excluded.m6,
    m7 = y.m7 + excluded.m7, m8 = y.m8 + excluded.m8, m9 = y.m9 + excluded.m9, m10 = y.m10 + excluded.m10, m11 = y.m11 + excluded.m11, m12 = y.m12 + excluded.m12
$$;
create function move_sizes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then perform add_sizes(array(select row(a.*)::payment_size_monthly from added a)); end if;
  if tg_op = 'UPDATE' then
    perform add_sizes(array(
      select row(a.*)::payment_size_monthly from added a
      union all select row(day, local_day, mda, channel, currency, amount, -payments)::payment_size_monthly from removed));
  end if;
  if tg_op = 'DELETE' then
    perform add_sizes(array(select row(day, local_day, mda, channel, currency, amount, -payments)::payment_size_monthly from removed));
  end if;
  if tg_op = 'TRUNCATE' then delete from payment_size_yearly; end if;
  return null;
end $$;
create trigger add_sizes after insert on payment_size_monthly referencing new table as added for each statement execute function move_sizes();
create trigger move_sizes after update on payment_size_monthly referencing old table as removed new table as added
  for each statement execute function move_sizes();
create trigger remove_sizes after delete on payment_size_monthly referencing old table as removed for each statement execute function move_sizes();
create trigger clear_sizes after truncate on payment_size_monthly for each statement execute function move_sizes();

-- Whatever writes: bulk loads that switch other triggers off too.
alter table payment_size_monthly enable always trigger add_sizes, enable always trigger move_sizes, enable always trigger remove_sizes,
  enable always trigger clear_sizes;

select add_sizes(array(select s from payment_size_monthly s));
analyze payment_size_yearly;

create view oversight.payment_size_yearly as select * from payment_size_yearly;
grant select on oversight.payment_size_yearly to rail_oversight;
