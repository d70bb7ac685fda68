-- Drafts follow the fee of a service. They are found by the index of drafts, and not by the lines of the service, which would read all years.
create or replace function reprice_drafts() returns trigger language plpgsql as $$
begin
  update assessment_line l set rate = new.fee_amount, amount = new.fee_amount * l.quantity
    from assessment a
    where a.status = 'Draft' and a.assessed_at is null and a.cancelled_at is null and l.assessment = a.name and l.service = new.name;
  update assessment a
    set revision = a.revision + 1, updated_at = now(), total_amount = (select sum(amount) from assessment_line l where l.assessment = a.name)
    where a.status = 'Draft' and a.assessed_at is null and a.cancelled_at is null
      and exists (select from assessment_line l where l.assessment = a.name and l.service = new.name);
  return null;
end $$;
