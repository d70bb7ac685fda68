-- feed(kind, column): facts of this kind changed, of the documents that the column names: of the row, or of the rows `changed` of a statement.
-- An empty kind is that of the rows. Without a column all facts of the kind are read again.
create or replace function feed() returns trigger language plpgsql as $$
begin
  if tg_nargs = 1 then
    insert into fact_change (kind, document) values (tg_argv[0], '0');
  elsif tg_level = 'ROW' then
    insert into fact_change (kind, document) values (tg_argv[0], to_jsonb(new) ->> tg_argv[1]);
  else
    insert into fact_change (kind, document)
    select distinct coalesce(nullif(tg_argv[0], ''), row ->> 'kind'), row ->> tg_argv[1] from (select to_jsonb(c) as row from changed c) r;
  end if;
  return null;
end $$;
