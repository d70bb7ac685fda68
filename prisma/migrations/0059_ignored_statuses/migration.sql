-- How many rows of a statement were ignored for each status that is not that of a payment.
alter table reconciliation_run add column ignored_statuses jsonb not null default '{}';
-- What an earlier statement matched is not missing in a later one.
create index reconciliation_item_matched on reconciliation_item (reference) where outcome = 'matched';
