-- Lists of payment intents, and the orders that lists of assessments and intents can be asked for. Those by amount and
-- by end are of all integrators: a list of one that has few is sorted, or found within the order of all.
create index payment_intent_integrator_created_at_name_idx on payment_intent (integrator, created_at desc, name desc);
create index payment_intent_amount_name_idx on payment_intent (amount, name);
create index payment_intent_expires_at_name_idx on payment_intent (expires_at, name);
-- Staff see the assessments of every integrator.
create index assessment_created_at_name_idx on assessment (created_at desc, name desc);
create index assessment_total_amount_name_idx on assessment (total_amount, name);
