-- Operations that callers register under a name of their own. A version is never changed: another follows it.
create table registered_operation (
  name text not null,
  version integer not null,
  owner text not null,
  document text not null,
  description text not null,
  created_at timestamptz(3) not null,
  constraint registered_operation_pkey primary key (name, version),
  constraint registered_operation_form check (name ~ '^[a-z][a-z0-9-]{2,63}$' and version between 1 and 50)
);
create index registered_operation_owner_idx on registered_operation (owner);
