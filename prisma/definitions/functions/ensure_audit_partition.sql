-- Makes the month of the log of requests.
create or replace function ensure_audit_partition(moment timestamptz) returns void language sql as $$
  select ensure_month('audit_log', moment)
$$;
