-- What a payer has to do next, where their browser goes afterwards, and to whom the aggregator mails its receipt. All without
-- a value in rows that are there, so that no table is written.
alter table payment_intent add column return_url text, add column next_action jsonb, add column payer_email bytea;
alter table integrator add column return_hosts text[] not null default '{}';
