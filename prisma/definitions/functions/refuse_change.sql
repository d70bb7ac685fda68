-- refuse_change(message, code): of a row whose name and status the message says.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception using message = format(tg_argv[0], old.name, old.status), errcode = tg_argv[1];
end $$;
