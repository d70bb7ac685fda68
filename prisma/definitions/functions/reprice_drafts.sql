-- Drafts follow the fees of their services. They are found by the index of drafts, and not by the lines of the services, which would read all
-- years. All are locked before anything is read of them, in one order: what is assessed meanwhile is no Draft to what follows, and of several
-- fees set at once each sees the others. A line of a tariff is left to the moment at which its Draft is assessed, and so is one of a service
-- that has a tariff from now on.
create or replace function reprice_drafts() returns trigger language plpgsql as $$
declare
  repriced text[];
  drafts text[];
begin
  repriced := array(select n.name from new_rows n join old_rows o on o.name = n.name where n.tariff is null and (o.fee_amount is distinct from n.fee_amount));
  if repriced = '{}' then
    return null;
  end if;
  drafts := array(
    select a.name from assessment a
    where a.status = 'Draft' and a.assessed_at is null and a.cancelled_at is null
      and exists (select from assessment_line l where l.assessment = a.name and l.service = any(repriced) and l.category is null)
    order by a.name for no key update);
  update assessment_line l set rate = n.fee_amount, amount = n.fee_amount * l.quantity
    from new_rows n where l.assessment = any(drafts) and l.service = n.name and n.name = any(repriced) and l.category is null;
  update assessment a
    set revision = a.revision + 1, updated_at = now(), total_amount = (select sum(amount) from assessment_line l where l.assessment = a.name)
    where a.name = any(drafts);
  return null;
end $$;
