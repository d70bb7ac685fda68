-- The lines of an assessment add up to its total, whichever of them is written; once it is Assessed neither changes.
create or replace function check_assessment_total() returns trigger language plpgsql as $$
declare
  written text;
begin
  -- One by one: a plan for several, made while the table is small, reads all of it for ever.
  foreach written in array case tg_table_name when 'assessment' then array[to_jsonb(new)->>'name']
      else array[to_jsonb(new)->>'assessment', to_jsonb(old)->>'assessment'] end loop
    perform from assessment a
      cross join lateral (select coalesce(sum(amount), 0) as total, count(*) as lines from assessment_line where assessment = a.name) l
      where a.name = written and (l.lines <> a.line_count or l.total <> a.total_amount);
    if found then
      raise exception 'assessment % does not equal its lines', written using errcode = 'check_violation';
    end if;
  end loop;
  return null;
end $$;
