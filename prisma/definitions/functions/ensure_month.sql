-- Makes the partition of a log for the month (UTC) that a moment lies in, where none holds it yet. Logs only grow: an index of a month
-- stays as small as that month, a question about a time reads its months alone, and vacuum and backups go month by month. Writers go on
-- meanwhile: a table is made, and then attached. Where somebody holds a lock on the log, the next call makes the month. The runtime role,
-- which may not create tables, calls this with the rights of the owner.
create or replace function ensure_month(log text, moment timestamptz) returns void language plpgsql
  security definer set lock_timeout = '2s' set search_path = public, pg_temp as $$
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
  -- An earlier part holds that month, or some rows of it are in the part for the rest: they stay where they are. Or somebody
  -- else has made it meanwhile: what this session knew of its name when it began to wait, it knows until its statement ends.
  when invalid_object_definition or check_violation or duplicate_table then null;
end $$;
