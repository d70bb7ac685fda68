create trigger queue_anomalies after insert on anomaly referencing new table as added
  for each statement execute function queue_anomalies();
-- Bulk loads that switch other triggers off are counted too.
alter table anomaly enable always trigger queue_anomalies;
create trigger feed_raised after insert on anomaly for each row execute function feed_document('anomaly');
create trigger feed after update on anomaly for each row
  when ((old.kind, old.severity, old.status, old.mdas, old.raised_at) is distinct from (new.kind, new.severity, new.status, new.mdas, new.raised_at))
  execute function feed_document('anomaly');
-- What is loaded of days long past alerts nobody.
create trigger queue_alerts after insert on anomaly for each row when (new.raised_at > now() - interval '1 day')
  execute function queue_alerts();
create trigger queue_alerts_again after update on anomaly for each row when (old.status = 'Resolved' and new.status = 'Open')
  execute function queue_alerts();
