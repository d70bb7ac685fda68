-- What banks say of payouts: no account, no reference and no text.
create or replace view oversight.fact_bank_line as
  select l.name as document, a.key, l.provider, l.currency, l.from_on, l.to_on, l.value_on, l.amount
  from bank_line l join (select distinct account, key from agency_account) a on a.account = l.account
  where l.kind in ('payout', 'refund') and l.provider is not null and l.from_on is not null;
