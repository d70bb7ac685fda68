create or replace view oversight.fee as
  select 'FEE-' || to_char(f.since at time zone 'utc', 'YYYY-MM') || '-' || lpad(f.id::text, greatest(6, length(f.id::text)), '0') as name,
    f.id as position, f.service, s.code, s.service_name, s.mda, f.fee_amount, f.currency, f.since as held_from,
    lead(f.since) over (partition by f.service order by f.since, f.id) as held_to
  from service_fee f join service s on s.name = f.service
  where not exists (select from withdrawn_fee w where w.fee = f.id);
