-- Outside a transaction: writers go on while the indexes are built. They hold the few rows that have any.
create index concurrently if not exists assessment_reference_idx on assessment (reference, integrator) where reference is not null;
create index concurrently if not exists assessment_metadata_idx on assessment using gin (metadata jsonb_path_ops) where metadata is not null;
create index concurrently if not exists payment_intent_reference_idx on payment_intent (reference, integrator) where reference is not null;
create index concurrently if not exists payment_intent_metadata_idx on payment_intent using gin (metadata jsonb_path_ops) where metadata is not null;
