-- What a payment was confirmed by. Of earlier events it is what the traces of a live rail say; where they do not, nobody knows. Seals do not cover it.
create type payment_proof as enum ('callback', 'enquiry', 'cash', 'approval', 'simulated');
alter table payment_event add column proof payment_proof;
do $$ begin
  if not exists (select from payment_event) or not exists (select from database_mode where mode = 'live') then return; end if;
  if exists (select from pg_trigger where tgname = 'append_only' and tgrelid = 'payment_event'::regclass) then
    alter table payment_event disable trigger append_only;
  end if;
  update payment_event e set proof = case
    when e.channel = 'cash' then (select 'cash'::payment_proof from assessment a where a.name = e.assessment and a.shift is not null)
    else (
      select (case
        -- An aggregator was asked, also after a callback. A payment point signed what counts at once, or an enquiry or an approval bore out a report.
        when not r.detail->'response' ? 'event_id' then 'enquiry'
        when exists (select from inbound_callback c where c.provider = i.aggregator and c.event_id = r.detail->'response'->>'event_id' and c.intent = i.name) then 'callback'
        when exists (select from approval p where p.name = r.detail->'response'->>'event_id' and p.kind = 'claim') then 'approval'
        else 'enquiry' end)::payment_proof
      from payment_intent i join trace_row r on r.assessment = i.assessment and r.intent = i.name
      where i.name = e.intent and r.kind = 'adapter.verify' and r.detail->>'status' = 'SUCCESSFUL' order by r.id limit 1
    ) end;
  if exists (select from pg_trigger where tgname = 'append_only' and tgrelid = 'payment_event'::regclass) then
    alter table payment_event enable trigger append_only;
  end if;
end $$;
