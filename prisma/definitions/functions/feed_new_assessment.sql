-- An assessment that is inserted as assessed.
create or replace function feed_new_assessment() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) values ('assessment', new.name);
  insert into people_waiting (kind, document, becomes) select 'assessment', new.name, new.status from people_step;
  return null;
end $$;
