-- Pages translate what a trace says by its form, and write what fills it in as it is written in their language: `["{0} → {1}", "Sent",
-- "Confirmed"]`. Null where nothing fills it in. Rows of before stay as they are: they are append-only.
alter table trace_row add column said jsonb;
