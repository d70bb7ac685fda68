-- The log of requests says what a request was about, and what one that was refused was told, without personal data. Null where nothing
-- is to be said; rows of before stay as they are: they are append-only.
alter table audit_log add column object text;
alter table audit_log add column refusal jsonb;
