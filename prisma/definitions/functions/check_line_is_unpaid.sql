-- Once a payment intent collects for an assessment, its lines stay as they are.
create or replace function check_line_is_unpaid() returns trigger language plpgsql as $$
begin
  if exists (select from payment_intent where assessment = old.assessment) then
    raise exception 'the lines of % are what a payment intent collects', old.assessment using errcode = 'check_violation';
  end if;
  return null;
end $$;
