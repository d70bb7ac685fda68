-- Outside a transaction: writers go on while the indexes are built.
create unique index concurrently if not exists webhook_delivery_message_endpoint_key on webhook_delivery (message, endpoint);
create index concurrently if not exists webhook_delivery_endpoint_due_idx on webhook_delivery (endpoint, next_attempt_at) where status = 'pending';
create index concurrently if not exists webhook_delivery_endpoint_claimed_idx on webhook_delivery (endpoint, claimed_until) where status = 'pending' and claimed_until is not null;
create index concurrently if not exists webhook_delivery_endpoint_order_idx on webhook_delivery (endpoint, object, sequence) where status = 'pending';
drop index concurrently if exists webhook_delivery_message_key;
drop index concurrently if exists webhook_delivery_due_idx;
drop index concurrently if exists webhook_delivery_claimed_idx;
drop index concurrently if exists webhook_delivery_order_idx;
