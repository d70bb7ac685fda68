-- Operators edit the catalogue: what they read says which revision it is, and a fee may be set for a day to come.
alter table country add column currency text;
update country c set currency = (select min(s.currency) from service s join mda m on m.name = s.mda where m.country = c.code);

alter table mda
  add column revision integer not null default 1,
  -- A new agency has no account until a second operator approves it, and collects nothing until then.
  alter column collection_account drop not null,
  add constraint mda_collects_into_an_account check (status <> 'Active' or collection_account is not null);

alter table service
  add column revision integer not null default 1,
  -- The fee that holds from a coming moment on. Whoever reads the fee looks at the clock, so that no job has to run; a row that is written
  -- after that moment has the fee where fees are.
  add column next_fee_amount numeric(19, 4) check (next_fee_amount >= 0),
  add column next_fee_from timestamptz(3),
  add constraint service_next_fee_whole check ((next_fee_amount is null) = (next_fee_from is null));
create index service_next_fee_from_idx on service (next_fee_from) where next_fee_from is not null;

-- A coming fee is set by a row like any other, with the moment from which it holds. One that is taken back before that stays, and is named here.
create table withdrawn_fee (
  fee bigint primary key,
  at timestamptz(3) not null,
  withdrawn_by text not null
);
create trigger append_only before update or delete or truncate on withdrawn_fee for each statement execute function refuse_rewriting();

create or replace view oversight.fee as
  select 'FEE-' || to_char(f.since at time zone 'utc', 'YYYY-MM') || '-' || lpad(f.id::text, greatest(6, length(f.id::text)), '0') as name,
    f.id as position, f.service, s.code, s.service_name, s.mda, f.fee_amount, f.currency, f.since as held_from,
    lead(f.since) over (partition by f.service order by f.since, f.id) as held_to
  from service_fee f join service s on s.name = f.service
  where not exists (select from withdrawn_fee w where w.fee = f.id);

-- Where an agency's money goes is changed by two: one asks for it, another one approves.
create table account_change (
  name text primary key,
  mda text not null references mda (name),
  collection_account text not null,
  -- The account that it replaces; null for the first one.
  former_account text,
  status text not null check (status in ('Pending', 'Approved', 'Refused')),
  reason text not null,
  requested_by text not null,
  created_at timestamptz(3) not null,
  decided_by text,
  decided_at timestamptz(3),
  decision_note text,
  updated_at timestamptz(3) not null,
  constraint account_change_decided check ((status = 'Pending') = (decided_at is null) and (decided_at is null) = (decided_by is null)),
  constraint account_change_takes_two check (status <> 'Approved' or decided_by <> requested_by)
);
create unique index account_change_pending_key on account_change (mda) where status = 'Pending';
create index account_change_created_at_idx on account_change (created_at desc, name desc);
create index account_change_mda_idx on account_change (mda, created_at desc, name desc);
