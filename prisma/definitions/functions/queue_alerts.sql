-- What is raised waits for the rules that it concerns, in the statement that raises it. What is loaded of days long past alerts nobody.
create or replace function queue_alerts() returns trigger language plpgsql as $$
begin
  insert into alert_waiting (rule, anomaly, kind)
  select r.name, a.name, a.kind from added a join alert_rule r on r.enabled
    and (r.kinds = '{}' or a.kind = any(r.kinds))
    and (r.mdas = '{}' or a.mdas && r.mdas)
    and (r.staff_of is null or r.staff_of = any(a.mdas))
    and array_position(array['low', 'medium', 'high'], a.severity) >= array_position(array['low', 'medium', 'high'], r.severity)
  where a.raised_at > now() - interval '1 day';
  return null;
end $$;
