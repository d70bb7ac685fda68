-- Operators assign anomalies, and snooze them until a day of UTC. When somebody did either or commented is their last change; null for
-- those that nothing but their resolution changed.
alter table anomaly add column assignee text, add column snoozed_until date, add column updated_at timestamptz(3);
