-- A closed shift waits for its step.
create or replace function wait_for_shifts() returns trigger language plpgsql as $$
begin
  insert into people_waiting (kind, document, becomes) select 'shift', new.name, 'Closed' from people_step;
  return null;
end $$;
