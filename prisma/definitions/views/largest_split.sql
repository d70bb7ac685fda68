-- The agency with the largest split of an intent: joined in bulk, and not looked up for each row.
create or replace view largest_split as
  select r.intent, r.mda from split_rule r
  where not exists (
    select from split_rule o where o.intent = r.intent and (o.amount > r.amount or o.amount = r.amount and o.mda < r.mda));
