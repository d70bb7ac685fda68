create trigger queue_anomalies after insert on anomaly referencing new table as added
  for each statement execute function queue_anomalies();
-- Bulk loads that switch other triggers off are counted too.
alter table anomaly enable always trigger queue_anomalies;
create trigger feed after insert or update of kind, severity, status, mdas, raised_at on anomaly for each row
  execute function feed('anomaly', 'name');
create trigger queue_alerts after insert or update of status on anomaly for each row execute function queue_alerts();
