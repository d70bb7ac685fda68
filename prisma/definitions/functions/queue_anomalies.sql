-- New anomalies wait for their position in the stream.
create or replace function queue_anomalies() returns trigger language plpgsql as $$
begin
  insert into oversight_tail (kind, subject) select 'anomaly', name from added;
  return null;
end $$;
