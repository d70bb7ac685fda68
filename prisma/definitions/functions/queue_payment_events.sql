-- New payment events wait for their position in the stream, and for their seal.
create or replace function queue_payment_events() returns trigger language plpgsql as $$
begin
  insert into oversight_tail (kind, subject) select 'payment_event', name from added;
  insert into unsealed_event (mda, event) select mda, name from added;
  return null;
end $$;
