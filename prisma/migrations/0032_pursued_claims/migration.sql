-- Of an intent that somebody says was paid, and whose aggregator does not say so yet: until when it is asked.
alter table payment_intent add column enquire_until timestamptz(3);
