-- Which fee a service had from when to when. A fee that is set is a new row; none is ever changed.
create table service_fee (
  id bigint generated always as identity primary key,
  service text not null references service (name),
  fee_amount numeric(19, 4) not null,
  currency text not null,
  since timestamptz(3) not null,
  -- Null for fees that were set before this history began.
  set_by text
);
create index service_fee_service_idx on service_fee (service, id);

-- The fees as they are. What is known of them is that they have been so at least since their service was last changed.
insert into service_fee (service, fee_amount, currency, since) select name, fee_amount, currency, updated_at from service order by name;
create trigger append_only before update or delete or truncate on service_fee for each statement execute function refuse_rewriting();

-- Each with the moment from which the next one held, and without who set it.
create view oversight.fee as
  select 'FEE-' || to_char(f.since at time zone 'utc', 'YYYY-MM') || '-' || lpad(f.id::text, greatest(6, length(f.id::text)), '0') as name,
    f.id as position, f.service, s.code, s.service_name, s.mda, f.fee_amount, f.currency, f.since as held_from,
    lead(f.since) over (partition by f.service order by f.id) as held_to
  from service_fee f join service s on s.name = f.service;
grant select on oversight.fee to rail_oversight;
