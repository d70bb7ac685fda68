-- The address of a payer serves the collection, and goes with it. Another step of the statement that ends the collection still reads it.
create or replace function forget_payer() returns trigger language plpgsql as $$
begin
  new.payer_email := null;
  return new;
end $$;
