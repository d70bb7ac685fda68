-- Deliveries that wait for a removed endpoint are dead. They include ones added until the endpoint was locked, which the calling statement
-- does not see.
create or replace function give_up_deliveries(removed text, at timestamptz) returns void language plpgsql as $$
begin
  with dropped as (delete from webhook_queue where endpoint = removed returning delivery)
  update webhook_delivery set status = 'dead', updated_at = at from dropped where name = dropped.delivery;
end $$;
