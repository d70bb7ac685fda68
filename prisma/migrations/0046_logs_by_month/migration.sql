-- Logs by the month of their rows: what is only added to, and grows for as long as the rail runs. An index of a month stays as small as
-- that month, what is asked of a time reads its months alone, and vacuum, backups and indexes go month by month.

-- Makes the part of a log for the month (UTC) that a moment lies in, where none holds it yet. Writers go on meanwhile: a table is made
-- beside the log, and attached. A month that cannot be had at once, since somebody holds a lock, is made by the next to ask.
create function ensure_month(log text, moment timestamptz) returns void language plpgsql set lock_timeout = '2s' as $$
declare
  month timestamp := date_trunc('month', moment at time zone 'utc');
  part text := log || to_char(month, '_YYYY_MM');
begin
  if to_regclass(part) is not null then return; end if;
  perform pg_advisory_xact_lock(7283008, hashtext(log));
  if to_regclass(part) is not null then return; end if;
  execute format('create table %I (like %I including all excluding indexes)', part, log);
  -- The number of a row is unique in its month, and comes of one sequence.
  if not exists (select from pg_index where indrelid = log::regclass and indisprimary) then
    execute format('alter table %I add primary key (id)', part);
  end if;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', log, part,
    to_char(month, 'YYYY-MM-DD') || ' 00:00:00+00', to_char(month + interval '1 month', 'YYYY-MM-DD') || ' 00:00:00+00');
  -- Triggers of statements are asked of the table that the statement names.
  execute format('create trigger append_only_whole before update or delete or truncate on %I for each statement execute function refuse_rewriting()', part);
exception
  -- An earlier part holds that month, or some rows of it are in the part for the rest: they stay where they are.
  when invalid_object_definition or check_violation then null;
end $$;

-- What makes the months of the audit log does so in the same way.
create or replace function ensure_audit_partition(moment timestamptz) returns void language sql as $$
  select ensure_month('audit_log', moment)
$$;

-- Makes a log one by months. The table that there is becomes its first part, as it is and with what it holds; where it is empty, the log
-- begins with this month. What is of no month that there is goes to the part for the rest, so that no row is ever refused.
create function part_by_month(log text) returns void language plpgsql as $$
declare
  before text := log || '_before';
  sequence text := log || '_id_seq';
  bound text := (select conname from pg_constraint where conrelid = log::regclass and conname ~ ('^' || log || '_before_\d{4}_\d\d$'));
  filled boolean;
  last bigint;
  one record;
  statements text[] := '{}';
  statement text;
begin
  execute format('lock table %I in access exclusive mode', log);
  execute format('select exists (select from %I)', log) into filled;
  if filled and bound is null then
    raise exception '% has rows, and no bound of them: this migration goes after 0045_bounds_of_logs', log;
  end if;

  -- Views follow the table when it is called otherwise: they are made once more, of the same text.
  for one in
    select distinct v.oid::regclass as view, pg_get_viewdef(v.oid) as text from pg_depend d join pg_rewrite r on r.oid = d.objid join pg_class v on v.oid = r.ev_class
    where d.classid = 'pg_rewrite'::regclass and d.refobjid = log::regclass and v.relkind = 'v'
  loop
    statements := statements || format('create or replace view %s as %s', one.view, one.text);
  end loop;
  for one in
    select a.privilege_type as privilege, a.grantee::regrole as grantee from pg_class t, aclexplode(t.relacl) a
    where t.oid = log::regclass and a.grantee not in (0, t.relowner)
  loop
    statements := statements || format('grant %s on %I to %s', one.privilege, log, one.grantee);
  end loop;
  for one in
    select pg_get_constraintdef(oid) as text, conname as name from pg_constraint where conrelid = log::regclass and contype = 'f'
  loop
    statements := statements || format('alter table %I add constraint %I %s', log, one.name, one.text);
  end loop;
  for one in
    select c.relname as name, pg_get_indexdef(i.indexrelid) as text from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = log::regclass and not i.indisprimary
  loop
    statements := statements || one.text;
    execute format('alter index %I rename to %I', one.name, replace(one.name, log, before));
  end loop;

  execute format('select coalesce(max(id), 0) from %I', log) into last;
  execute format('alter table %I alter id drop identity if exists', log);
  execute format('alter index %I rename to %I', log || '_pkey', before || '_pkey');
  execute format('alter table %I rename to %I', log, before);
  execute format('create table %I (like %I including defaults) partition by range (at)', log, before);
  execute format('create sequence if not exists %I', sequence);
  execute format('alter sequence %I owned by %I.id', sequence, log);
  if last > 0 then perform setval(sequence, greatest(last, nextval(sequence))); end if;
  execute format('alter table %I alter id set default nextval(%L)', log, sequence);
  execute format('create trigger append_only before update or delete or truncate on %I for each statement execute function refuse_rewriting()', log);

  if filled then
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', log, before,
      replace(right(bound, 7), '_', '-') || '-01 00:00:00+00');
    execute format('alter table %I drop constraint %I', before, bound);
  end if;
  foreach statement in array statements loop execute statement; end loop;
  if not filled then execute format('drop table %I', before); end if;

  execute format('create table %I partition of %I (primary key (id)) default', log || '_rest', log);
  execute format('create trigger append_only_whole before update or delete or truncate on %I for each statement execute function refuse_rewriting()', log || '_rest');
  perform ensure_month(log, now() + n * interval '1 month') from generate_series(0, 3) n;
end $$;
select part_by_month('trace_row');
select part_by_month('webhook_attempt');
select part_by_month('operator_audit');
drop function part_by_month;
