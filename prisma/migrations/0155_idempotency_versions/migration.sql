-- How the owner and the fingerprint of a stored answer are made has a version, so that an upgrade finds what the version before has answered.
alter table idempotency add column version smallint;
