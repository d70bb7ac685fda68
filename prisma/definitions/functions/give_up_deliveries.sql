-- What waits for an endpoint that the calling statement removes is dead: also what was added until the endpoint was locked, which that statement
-- does not see.
create or replace function give_up_deliveries(removed text, at timestamptz) returns void language plpgsql as $$
begin
  with dropped as (delete from webhook_queue where endpoint = removed returning delivery)
  update webhook_delivery set status = 'dead', updated_at = at from dropped where name = dropped.delivery;
end $$;
