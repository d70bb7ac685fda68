-- Facts name the counter at which an assessment was paid, and say whether its clerk took the money back.
create or replace function feed_assessments_of_shift() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document) select 'assessment', name from assessment where shift = new.name and assessed_at is not null;
  return null;
end $$;
