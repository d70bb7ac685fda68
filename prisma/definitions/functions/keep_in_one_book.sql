-- A transaction of a payment point is in one book: an intent that it paid, or money that paid nothing. Of two at once the
-- second sees the first here, which its own statement began too early to see, and is tried again. Money of an aggregator may
-- be confirmed later, in the amount that was asked for: lists and figures of money leave it out then.
create or replace function keep_in_one_book() returns trigger language plpgsql as $$
declare
  given jsonb := to_jsonb(new);
  holder text := coalesce(given->>'provider', given->>'aggregator');
  transaction_id text := coalesce(given->>'txn_id', given->>'aggregator_reference');
begin
  perform pg_advisory_xact_lock(7283009, hashtext(holder || ':' || transaction_id));
  if exists (select from money_received where provider = holder and txn_id = transaction_id and tg_table_name = 'payment_intent')
    or exists (select from payment_intent where aggregator = holder and aggregator_reference = transaction_id and status = 'Confirmed'
      and tg_table_name = 'money_received') then
    raise exception 'transaction % of % is in the other book', transaction_id, holder using errcode = 'serialization_failure';
  end if;
  return new;
end $$;
