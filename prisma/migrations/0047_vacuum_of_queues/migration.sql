-- Vacuum and room for the tables whose rows change. By its usual settings a table is vacuumed once a fifth of it is dead, which is
-- later the larger it is; until then, whoever looks for what waits reads past all that has been done since.

-- Queues that empty: a size that they have now says nothing of what they had.
alter table oversight_tail set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 1000);
alter table unsealed_event set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 1000);
-- What keeps its rows when they are done. After 20,000 messages among 317,000 the relay read 173 pages to find nothing, and one once
-- they were vacuumed, which would have come at 63,000, and at 20 million among 100 million.
alter table outbox set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
alter table propagation set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
alter table webhook_delivery set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
-- What changes two to four times, and is at rest after.
alter table assessment set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02);
alter table payment_intent set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02);
-- A stored answer comes after its row, and is wider: with room in the page it needs no entry in an index (88 % before, all of them with it).
-- Of assessments, shifts and sums the share stayed as it was, 99 % and more of what changes no index; they get no room.
alter table idempotency set (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);
