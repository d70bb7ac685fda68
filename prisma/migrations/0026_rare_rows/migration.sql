-- Outside a transaction. Lists that are filtered by what few rows have: each index holds those rows alone, in the order of the list, or is of a
-- table that no payment waits for. The states of an assessment are told by times that a payment does not change.
create index concurrently if not exists assessment_draft_idx on assessment (created_at desc, name desc, integrator)
  where assessed_at is null and cancelled_at is null;
create index concurrently if not exists assessment_cancelled_idx on assessment (created_at desc, name desc, integrator)
  where cancelled_at is not null;
create index concurrently if not exists payment_intent_unpaid_idx on payment_intent (status, created_at desc, name desc, integrator)
  where status in ('Failed', 'Expired');
create index concurrently if not exists split_rule_mda_intent_idx on split_rule (mda, intent);
create index concurrently if not exists counter_shift_mda_created_at_name_idx on counter_shift (mda, created_at desc, name desc);
create index concurrently if not exists propagation_dead_idx on propagation (created_at desc, name desc) where status = 'dead';
create index concurrently if not exists propagation_mda_created_at_name_idx on propagation (mda, created_at desc, name desc);
create index concurrently if not exists webhook_delivery_dead_idx on webhook_delivery (created_at desc, name desc, integrator)
  where status = 'dead';
create index concurrently if not exists webhook_delivery_type_idx on webhook_delivery (type, created_at desc, name desc);
create index concurrently if not exists webhook_delivery_object_idx on webhook_delivery (object);
