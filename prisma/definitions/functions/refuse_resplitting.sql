-- What an intent collects, and for what, was said to its aggregator.
create or replace function refuse_resplitting() returns trigger language plpgsql as $$
begin
  raise exception 'what % collects, and for what, is settled when it is made', old.name using errcode = 'check_violation';
end $$;
