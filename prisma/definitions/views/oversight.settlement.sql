-- Statements of providers as they were compared, and the counts of what came of their rows, without what names a payment. A statement that
-- was compared again counts as it was compared last.
create or replace view oversight.settlement as
  select r.name, r.created_at, r.provider, r.from_at, r.to_at, r.rerun_of, r.ignored, r.matched, r.missing_here, r.missing_there,
    r.amount_differs, r.duplicate, not exists (
      select from reconciliation_run n
      where n.source_hash = r.source_hash and n.provider = r.provider and (n.created_at, n.name) > (r.created_at, r.name)) as latest
  from reconciliation_run r;
