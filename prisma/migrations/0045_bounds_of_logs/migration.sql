-- Outside a transaction. Finds out until when the rows of logs reach, so that the next migration can take each as it is for the first
-- part of a partitioned table: the bound is checked here, while others write, and not there, where nobody can.
do $$
declare
  log text;
  upto date;
begin
  foreach log in array array['trace_row', 'webhook_attempt', 'operator_audit'] loop
    continue when exists (select from pg_constraint where conrelid = log::regclass and conname ~ ('^' || log || '_before_\d{4}_\d\d$'));
    -- A month and more from now, since rows are written until the next migration; an empty log needs no first part.
    execute format($q$select (date_trunc('month', greatest(max(at), now()) at time zone 'utc') + interval '2 months')::date from %I having count(*) > 0$q$, log) into upto;
    if upto is not null then
      execute format('alter table %I add constraint %I check (at < %L) not valid', log, log || to_char(upto, '"_before_"YYYY_MM'), upto || ' 00:00:00+00');
    end if;
  end loop;
end $$;
do $$
declare
  bound record;
begin
  -- Reads the table beside its writers: a constraint that is being checked locks out other changes of the table alone.
  for bound in select conrelid::regclass as log, conname from pg_constraint where conname ~ '_before_\d{4}_\d\d$' and contype = 'c' and not convalidated loop
    execute format('alter table %s validate constraint %I', bound.log, bound.conname);
  end loop;
end $$;
