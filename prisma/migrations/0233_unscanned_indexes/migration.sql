-- Outside a transaction. What no question of any interface scans, and one index in place of two: a collection is found by its reference alone
-- or with its aggregator, and is unique by both.
create unique index concurrently if not exists payment_intent_aggregator_reference_aggregator_key on payment_intent (aggregator_reference, aggregator);
drop index concurrently if exists payment_intent_aggregator_aggregator_reference_key;
drop index concurrently if exists payment_intent_aggregator_reference_idx;
drop index concurrently if exists assessment_assessed_at_idx;
drop index concurrently if exists assessment_line_service_idx;
