-- A stored decision answers the same thing alone; money that was reported under the ID of another event has a kind of its own. Rows that are there have the kinds of before.
alter table inbound_callback add column about jsonb not null default '{}';
alter table money_received
  drop constraint money_received_kind_check,
  add constraint money_received_kind_check check (kind in ('over', 'short', 'late', 'withdrawn', 'already_paid', 'unknown_reference', 'wrong_currency', 'unapplied', 'event_reused')) not valid;
