-- What waits for an endpoint that the calling statement removes is dead. It sees what was added until the endpoint was locked, which that
-- statement itself does not.
create or replace function give_up_deliveries(removed text) returns bigint language sql volatile as $$
  with given_up as (
    update webhook_delivery set status = 'dead', next_attempt_at = null, claimed_until = null, updated_at = now()
    where endpoint = removed and status = 'pending' returning 1
  )
  select count(*) from given_up
$$;
