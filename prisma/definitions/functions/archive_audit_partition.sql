-- Drops a month of the log of requests that was moved to a file, and records the file, if it has as many rows as the month.
create or replace function archive_audit_partition(month_of date, file_name text, row_count bigint, byte_count bigint, checksum text, at timestamptz) returns void
language plpgsql as $$
declare
  partition text := 'audit_log_' || to_char(month_of, 'YYYY_MM');
  there bigint;
begin
  execute format('lock table %I in share mode', partition);
  execute format('select count(*) from %I', partition) into there;
  if there <> row_count then
    raise exception '% has % rows, its file %', partition, there, row_count using errcode = 'integrity_constraint_violation';
  end if;
  insert into audit_archive (month, file, rows, bytes, sha256, archived_at) values (month_of, file_name, row_count, byte_count, checksum, at);
  execute format('drop table %I', partition);
end $$;
