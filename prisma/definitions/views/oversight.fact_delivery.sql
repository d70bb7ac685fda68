create or replace view oversight.fact_delivery as
  select name as document, (created_at at time zone 'utc')::date as day, status from webhook_delivery;
