-- A key that takes two people is issued before it is approved, and does not work until then.
alter type key_status add value 'waiting' before 'active';
