-- What waits for an endpoint that the calling statement removes is dead: also what was added until the endpoint was locked, which that statement
-- does not see.
create or replace function give_up_deliveries(removed text, at timestamptz) returns void language plpgsql as $$
begin
  update webhook_delivery set status = 'dead', next_attempt_at = null, claimed_until = null, updated_at = at
  where endpoint = removed and status = 'pending';
end $$;
