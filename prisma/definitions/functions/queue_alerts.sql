-- A raised or reopened anomaly waits for the rules that concern it, in the statement that raises it. Anomalies of days long past alert
-- nobody.
create or replace function queue_alerts() returns trigger language plpgsql as $$
begin
  insert into alert_waiting (rule, anomaly, kind)
  select r.name, new.name, new.kind from alert_rule r
  where r.enabled
    and case tg_op when 'INSERT' then new.raised_at > now() - interval '1 day' else old.status = 'Resolved' and new.status = 'Open' end
    and (r.kinds = '{}' or new.kind = any(r.kinds))
    and (r.mdas = '{}' or new.mdas && r.mdas)
    and (r.staff_of is null or r.staff_of = any(new.mdas))
    and array_position(array['low', 'medium', 'high'], new.severity) >= array_position(array['low', 'medium', 'high'], r.severity)
  -- It was resolved before it was sent, and is sent now.
  on conflict do nothing;
  return null;
end $$;
