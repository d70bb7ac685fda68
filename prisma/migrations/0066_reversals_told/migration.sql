-- Agencies that were told of a payment are told of its reversal, by a row of its own that follows; and they may reject what they were told.
alter table propagation
  add column kind text not null default 'payment',
  add column maybe_told boolean not null default false,
  add column rejections integer not null default 0,
  drop constraint propagation_status_check,
  -- Not looked at again: all rows were made under narrower rules.
  add constraint propagation_status_check check (status in ('pending', 'done', 'dead', 'rejected')) not valid,
  add constraint propagation_kind_check check (kind in ('payment', 'reversal')) not valid;

-- Figures are of payments, as before; what an agency rejected did not reach it.
create or replace view oversight.propagation as
  select mda, case status when 'rejected' then 'dead' else status end as status, (created_at at time zone 'utc')::date as day
  from propagation where kind = 'payment';
