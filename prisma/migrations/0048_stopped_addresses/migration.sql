-- Letters about payments are stopped by the address that they go to. letters_stopped_at of citizens is not used any more.
create table stopped_address (
  hash bytea primary key,
  stopped_at timestamptz(3) not null
);
