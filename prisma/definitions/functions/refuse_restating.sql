-- What a bank's line states, and a closed day, stay as they are; only what somebody decides about them changes.
create or replace function refuse_restating() returns trigger language plpgsql as $$
begin
  raise exception 'what a row of % states never changes', tg_table_name using errcode = 'restrict_violation';
end $$;
