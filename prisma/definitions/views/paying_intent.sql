-- The intent that paid an assessment: joined in bulk where a copy of facts is filled, and found by its index for some documents.
create or replace view paying_intent as
  select i.assessment, i.channel::text as channel, i.name as intent from payment_intent i
  where i.status = 'Confirmed' and not exists (
    select from payment_intent o where o.assessment = i.assessment and o.status = 'Confirmed'
      and (coalesce(o.confirmed_at, 'infinity'), o.name) < (coalesce(i.confirmed_at, 'infinity'), i.name));
