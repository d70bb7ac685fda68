-- The lines of an assessment add up to its total; once it is Assessed neither changes.
create or replace function check_assessment_total() returns trigger language plpgsql as $$
declare
  counted record;
begin
  select coalesce(sum(amount), 0) as total, count(*) as lines into counted from assessment_line where assessment = new.name;
  if counted.lines <> new.line_count or counted.total <> new.total_amount then
    raise exception 'assessment % does not equal its lines', new.name using errcode = 'check_violation';
  end if;
  return null;
end $$;
