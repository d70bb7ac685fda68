-- Proof, trace and logs are append-only. A table with a trigger that executes this is one that the runtime role may only add to.
create or replace function refuse_rewriting() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
