-- Outside a transaction. Whoever looks after the rail finds a payment by what its provider calls it, and a notice by its agency's receipt.
create index concurrently if not exists payment_intent_aggregator_reference_idx on payment_intent (aggregator_reference);
create index concurrently if not exists payment_event_txn_id_idx on payment_event (txn_id);
create index concurrently if not exists propagation_receipt_idx on propagation (receipt);
