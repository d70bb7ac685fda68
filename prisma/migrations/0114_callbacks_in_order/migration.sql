-- Outside a transaction. What providers called back about is listed newest first, and found by the payment that it led to.
create index concurrently if not exists inbound_callback_received_at_idx on inbound_callback (received_at desc, provider desc, event_id desc);
create index concurrently if not exists inbound_callback_intent_idx on inbound_callback (intent) where intent is not null;
