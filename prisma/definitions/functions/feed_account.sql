-- An account that an agency gets, or leaves, may be called by another key from then on: what banks say of it is read again.
create or replace function feed_account() returns trigger language plpgsql as $$
begin
  insert into fact_change (kind, document)
  select 'bank', l.name from bank_line l where l.account in (new.collection_account, old.collection_account);
  return null;
end $$;
