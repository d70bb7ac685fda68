-- Outside a transaction. Links of an assessment begin one payment of a channel at a time. Of those that were begun more than once before, the first keeps its link.
update payment_intent i set link = null
where i.link is not null and i.status in ('Pending', 'Sent') and exists (
  select from payment_intent o
  where o.assessment = i.assessment and o.channel = i.channel and o.link is not null and o.status in ('Pending', 'Sent')
    and o.name < i.name);
create unique index concurrently if not exists payment_intent_begun_key on payment_intent (assessment, channel) where link is not null and status in ('Pending', 'Sent');
