-- What operators grant a key beside its scopes: the agencies that it supervises, and those at whose counters it may take cash; '*' is all of them.
alter table api_key
  add column supervises text[] not null default '{}',
  add column counters text[] not null default '{}',
  add column manages_account boolean not null default false,
  -- The first key of the rotations that led to this one.
  add column lineage text references api_key (name);
alter table api_key add constraint key_supervises check (not '*' = any(supervises) or cardinality(supervises) = 1);
alter table api_key add constraint key_counters check (not '*' = any(counters) or cardinality(counters) = 1);

with recursive line as (
  select name, name as lineage from api_key where replaces is null
  union all
  select k.name, l.lineage from line l join api_key k on k.replaces = l.name
)
update api_key k set lineage = l.lineage from line l where k.name = l.name;
alter table api_key alter column lineage set not null;

-- The first key of each account manages it, and so do those that replaced it.
update api_key k set manages_account = true
where k.lineage in (select distinct on (integrator) name from api_key order by integrator, created_at, name);

-- Who issued the key that decided on a variance could use it themselves: they are no other pair of eyes either.
alter table counter_shift add column variance_key_issued_by text;
alter table counter_shift add constraint shift_four_eyes_of_issuer check (variance_key_issued_by is null or variance_key_issued_by <> clerk);
