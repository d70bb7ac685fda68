-- Drops the months of attempts to deliver messages that were over 90 days ago, the only rows of a log that go: they prove nothing. The
-- runtime role, which may not drop tables, calls this with the rights of the owner, so it takes no word from it.
create or replace function forget_attempts() returns void language plpgsql
  security definer set lock_timeout = '2s' set search_path = public, pg_temp as $$
declare
  part text;
begin
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'webhook_attempt'::regclass
      and substring(pg_get_expr(c.relpartbound, c.oid) from $end$TO \('([^']+)'\)$end$)::timestamptz <= now() - interval '90 days'
  loop
    execute format('drop table %I', part);
  end loop;
end $$;
