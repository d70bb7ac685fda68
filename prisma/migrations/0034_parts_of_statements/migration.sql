-- A statement of more rows than are taken at once comes in parts: which of how many one is.
alter table reconciliation_run add column part integer, add column parts integer;
