-- The assessment of an intent that is inserted as sent or later.
create or replace function feed_new_intent() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) values ('assessment', new.assessment);
  insert into people_waiting (kind, document, intent, becomes) select 'assessment', new.assessment, new.name, new.status from people_step;
  return null;
end $$;
